"""What is wrong with links: of a built site (site_faults), and of the repository as people read it there (repository_faults)."""
import html.parser
import os
import pathlib
import re
import urllib.parse

LINKS = {"a": "href", "img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src", "object": "data",
         "embed": "src"}
# Of these a page that is only looked at loads nothing.
HARMLESS_RELATIONS = {"canonical", "next", "prev", "edit"}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.in_style = {"", "top"}, [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.in_style = tag == "style"
        for name in ("id", "name"):
            if attributes.get(name):
                self.anchors.add(attributes[name])
        link = attributes.get(LINKS.get(tag))
        loads = tag != "a" and not set(attributes.get("rel", "").split()) & HARMLESS_RELATIONS
        if link and (tag == "a" or loads):
            self.links.append((link, loads))
        for url in re.findall(r"url\(([^)]*)\)", attributes.get("style") or ""):
            self.links.append((url.strip("'\" "), True))

    def handle_data(self, data):
        if self.in_style:
            self.links += [(url, True) for url in style_urls(data)]


def style_urls(text):
    """What a style sheet loads."""
    urls = re.findall(r"url\(\s*['\"]?([^'\")]*)['\"]?\s*\)|@import\s+['\"]([^'\"]+)['\"]", text)
    return [first or second for first, second in urls if not (first or second).startswith("data:")]


def site_faults(site, without_anchors="reference/cpp"):
    """Dead links and anchors, and what pages and style sheets load from elsewhere; a line each. Anchors in the pages of the
    folder `without_anchors` are not looked at: Doxygen links to headings that it leaves out."""
    site = pathlib.Path(site)
    pages = {path: Page(path.read_text(encoding="utf-8", errors="replace")) for path in sorted(site.rglob("*.html"))}
    faults = []

    def look(path, link, loads):
        name = path.relative_to(site)
        url = urllib.parse.urlsplit(link)
        if url.scheme in ("http", "https") or url.netloc:
            if loads:
                faults.append(f"{name}: loads {link} from elsewhere")
            return
        if url.scheme:
            return
        target = path
        if url.path:
            target = pathlib.Path(os.path.normpath(path.parent / urllib.parse.unquote(url.path)))
            if url.path.startswith("/"):
                target = site / urllib.parse.unquote(url.path[1:])
            if target.is_dir():
                target /= "index.html"
        if not target.is_file() or site not in target.parents:
            faults.append(f"{name}: dead link {link}")
        elif url.fragment and target in pages and site / without_anchors not in path.parents \
                and urllib.parse.unquote(url.fragment) not in pages[target].anchors:
            faults.append(f"{name}: dead anchor {link}")

    for path, page in pages.items():
        if path.name == "404.html":  # its links are those of a server's root
            continue
        for link, loads in page.links:
            look(path, link, loads)
    for path in sorted(site.rglob("*.css")):
        for url in style_urls(path.read_text(encoding="utf-8", errors="replace")):
            look(path, url, True)
    return faults


def prose(text):
    """Lines of Markdown outside of blocks of code."""
    fence = False
    for line in text.splitlines():
        if line.startswith("```"):
            fence = not fence
        elif not fence and not line.startswith("    "):
            yield line


def anchors_of(path):
    """Anchors that the headings of a Markdown file have."""
    anchors = set()
    for line in prose(path.read_text()):
        if line.startswith("#"):
            title = re.sub(r"[^\w\s-]", "", line.lstrip("#").strip().lower())
            anchors.add(re.sub(r"\s", "-", title))
    return anchors


def named_files(text):
    """Paths between backticks, with each of {h,cpp} by itself, but for those with a NAME to be filled in."""
    for quoted in re.findall(r"`([\w.*-]+/[\w./*{},-]*)`", text):
        alternatives = re.search(r"\{([^}]*)\}", quoted)
        for ending in alternatives[1].split(",") if alternatives else [""]:
            path = quoted.replace(alternatives[0], ending) if alternatives else quoted
            if "NAME" not in path and not re.match(r"(detail|trees|report_formats)/", path):
                yield path


# Made by build.py, so that sources may name them.
MADE_PAGES = {"docs/reference/command-line.md", "docs/reference/examples.md"}
TEXT_FILES = {".md", ".h", ".cpp", ".in", ".txt", ".cmake", ".sh", ".py", ".js", ".yml", ".json"}


def repository_faults(sources):
    """Dead links of Markdown files outside of docs/, links out of docs/ that lead nowhere, and files of docs/ that a source
    names and that are not there; a line each."""
    sources = pathlib.Path(sources)
    faults = []
    folders = ["docs", "cmake", "examples", "models", "scenegraph", "tests", "toolkit", "viewer"]
    files = [path for path in sources.iterdir() if path.is_file()]
    files += [path for folder in folders for path in sorted((sources / folder).rglob("*")) if path.is_file()]
    for path in files:
        name = path.relative_to(sources)
        if path.suffix not in TEXT_FILES or name.parts[:2] == ("tests", "docs"):
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for named in sorted(set(re.findall(r"(?<![\w/.-])docs/[\w./-]+\.(?:md|json|bib|png|svg)\b", text)) - MADE_PAGES):
            if not (sources / named).is_file():
                faults.append(f"{name}: names {named}, which is not there")
        if path.suffix != ".md":
            continue
        if path.name == "CONTRIBUTING.md":
            faults += [f"{name}: names {named}, which is not there" for named in named_files(text)
                       if not list(sources.glob(named))]
        for line in prose(text):
            for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
                url = urllib.parse.urlsplit(link)
                if url.scheme or url.netloc:
                    continue
                target = pathlib.Path(os.path.normpath(path.parent / url.path)) if url.path else path
                if not target.exists() and str(target.relative_to(sources)) not in MADE_PAGES:
                    # Links between pages of the site are mkdocs's, which knows the pages that are made.
                    if name.parts[0] != "docs" or not str(target).startswith(str(sources / "docs")):
                        faults.append(f"{name}: dead link {link}")
                elif url.fragment and target.suffix == ".md" and name.parts[0] != "docs" and target.exists() \
                        and url.fragment not in anchors_of(target):
                    faults.append(f"{name}: dead anchor {link}")
    return faults
