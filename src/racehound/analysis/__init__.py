"""The whole program: what names mean, which locks are held, what runs concurrently, which state is shared."""
