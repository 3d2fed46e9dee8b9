"""What names and values mean, and which function a call runs."""
