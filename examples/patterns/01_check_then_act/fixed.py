"""A cache that looks once: `get` checks and fetches in one step that no eviction can split."""

from concurrent.futures import ThreadPoolExecutor


class TemplateCache:
    """Templates by name, shared by the threads that render pages."""

    def __init__(self) -> None:
        self._templates: dict[str, str] = {}

    def store(self, name: str, template: str) -> None:
        self._templates[name] = template

    def evict(self, name: str) -> None:
        self._templates.pop(name, None)

    def render(self, name: str, value: str) -> str:
        template = self._templates.get(name, "{}")
        return template.replace("{}", value)


def main() -> None:
    cache = TemplateCache()
    cache.store("greeting", "Hello {}!")
    with ThreadPoolExecutor(max_workers=4) as pool:
        pages = [pool.submit(cache.render, "greeting", name) for name in ("Ada", "Grace", "Barbara")]
        pool.submit(cache.evict, "greeting")
    print([page.result() for page in pages])


if __name__ == "__main__":
    main()
