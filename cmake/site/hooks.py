"""What mkdocs does beyond mkdocs.yml: adds the pages that build.py has made, and brings links into the repository home."""
import os
import pathlib
import posixpath
import re

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Files of the repository that have another place on the site; other files outside docs/ are named without a link.
ELSEWHERE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "README.md": "index.md"}
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")


def made_pages():
    folder = os.environ.get("FITUP_SITE_PAGES")
    if not folder:
        raise PluginError("the reference is made by the CMake target `site`; for `mkdocs serve` set FITUP_SITE_PAGES "
                          "to its folder, build/release/site-pages")
    return pathlib.Path(folder)


def on_files(files, config):
    folder = made_pages()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            files.append(File(path.relative_to(folder).as_posix(), str(folder), config["site_dir"],
                              config["use_directory_urls"]))
    return files


def on_nav(nav, config, files):
    listed = {page.file.src_uri for page in nav.pages}
    lost = [file.src_uri for file in files.documentation_pages() if file.src_uri not in listed]
    if lost:
        raise PluginError("not in the nav of mkdocs.yml: " + ", ".join(lost))
    return nav


def on_page_markdown(markdown, page, config, files):
    """Links are written for readers of the repository, and lead to the same thing on the site."""
    source = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}.get(page.file.src_uri,
                                                                                        "docs/" + page.file.src_uri)

    def home(match):
        text, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match.group(0)
        path, _, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if path.startswith("docs/"):
            path = path[len("docs/"):]
            if source.startswith("docs/") and files.get_file_from_path(path) is None and not (ROOT / "docs" / path).is_dir():
                return match.group(0)  # a dead link, which mkdocs names
        elif path in ELSEWHERE:
            path = ELSEWHERE[path]
        elif path.startswith("examples/") and path.endswith(".cpp") and (ROOT / path).is_file():
            path, anchor = "reference/examples.md", posixpath.basename(path).removesuffix(".cpp")
        elif (ROOT / path).exists():
            return text
        else:
            return match.group(0)
        if files.get_file_from_path(path) is None:
            return text  # a folder
        path = posixpath.relpath(path, posixpath.dirname(page.file.src_uri) or ".")
        return f"[{text}]({path}{'#' + anchor if anchor else ''})"

    lines, fence = [], False
    for line in markdown.splitlines():
        if line.startswith("```"):
            fence = not fence
        elif not fence:
            if line.startswith("|"):  # the escape that other readers of Markdown need in cells
                line = re.sub(r"`[^`]*`", lambda match: match.group(0).replace("\\|", "|"), line)
            if not line.startswith("    "):
                line = LINK.sub(home, line)
        lines.append(line)
    return "\n".join(lines) + "\n"
