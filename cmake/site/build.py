#!/usr/bin/env python3
"""Builds the documentation site without a network, and checks it.

Usage: build.py SOURCES PAGES SITE FITUP MKDOCS DOXYGEN

Makes the pages that come from programs, headers and examples in the folder PAGES, has mkdocs put them and docs/ together in
the folder SITE, and fails for a dead link, a dead anchor, a page that loads something from elsewhere, or a warning of
Doxygen. SOURCES is the repository, FITUP the program whose --help is the reference of the command line."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # the source folder stays as it is
import check  # noqa: E402


def run(*command, **options):
    return subprocess.run([str(part) for part in command], text=True, **{"check": True, **options})


def command_line_page(fitup):
    """The help of fitup and of each of its commands. Not cut to a terminal's width, and the same on each machine."""
    def help_of(*command):
        return run(fitup, *command, "--help", stdout=subprocess.PIPE,
                   env=dict(os.environ, LC_ALL="C", NO_COLOR="1")).stdout.rstrip()

    top = help_of()
    commands = re.findall(r"^  ([a-z][a-z-]*) ", top.partition("Subcommands:")[2].partition("\n\n")[0], re.MULTILINE)
    if len(commands) < 5:
        raise SystemExit(f"the help of {fitup} lists {len(commands)} commands only:\n{top}")
    page = ["# Command line", "",
            "This page is what `fitup --help` and `fitup COMMAND --help` print. "
            "[Common tasks](../how-to/command-line-tasks.md) shows the commands at work.", "", "```text", top, "```", ""]
    for command in commands:
        page += [f"## fitup {command}", "", "```text", help_of(command), "```", ""]
    return "\n".join(page)


def examples_page(folder):
    page = ["# Examples", "",
            "Each example shows one idea. The folder `examples/` of the source has them; they are built with Fitup, and the "
            "test suite runs them.", ""]
    for example in sorted(folder.glob("*.cpp")):
        text = example.read_text()
        summary = re.match(r"(?:// .*\n)+", text)
        if not summary:
            raise SystemExit(f"{example}: the first line does not say what the example shows")
        page += [f"## {example.name} {{#{example.stem}}}", "", re.sub(r"^// ", "", summary.group(0), flags=re.MULTILINE).rstrip(), "", "```cpp", text.rstrip(), "```", ""]
    return "\n".join(page)


def headers_reference(sources, pages, doxygen):
    """Runs Doxygen on the headers that are installed. Returns its warnings."""
    inputs = [sources / "toolkit" / "fitup", sources / "toolkit" / "fitup_field", sources / "scenegraph" / "osgFitup"]
    roots = f"{sources}/toolkit {sources}/scenegraph"
    settings = (sources / "cmake" / "site" / "Doxyfile").read_text()
    front = sources / "cmake" / "site" / "cpp.md"
    settings += f"INPUT = {front} {' '.join(map(str, inputs))}\nUSE_MDFILE_AS_MAINPAGE = {front}\n"
    settings += f"OUTPUT_DIRECTORY = {pages / 'reference'}\n"
    settings += f"STRIP_FROM_PATH = {roots}\nSTRIP_FROM_INC_PATH = {roots}\n"
    settings += f"PROJECT_NUMBER = {re.search(chr(34) + '([0-9.]+)' + chr(34), (inputs[0] / 'base' / 'version.h').read_text())[1]}\n"
    return run(doxygen, "-", input=settings, stderr=subprocess.PIPE).stderr.splitlines()


def main():
    if len(sys.argv) != 7:
        raise SystemExit(__doc__)
    sources, pages, site, fitup, mkdocs, doxygen = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    shutil.rmtree(pages, ignore_errors=True)
    (pages / "reference").mkdir(parents=True)
    (pages / "reference" / "command-line.md").write_text(command_line_page(fitup))
    (pages / "reference" / "examples.md").write_text(examples_page(sources / "examples"))
    for name in ("CHANGELOG", "CONTRIBUTING"):
        shutil.copy(sources / f"{name}.md", pages / f"{name.lower()}.md")
    warnings = headers_reference(sources, pages, doxygen)
    (pages.parent / "doxygen-warnings.txt").write_text("".join(line + "\n" for line in warnings))
    build = run(mkdocs, "build", "--strict", "--config-file", sources / "mkdocs.yml", "--site-dir", site, check=False,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                env=dict(os.environ, FITUP_SITE_PAGES=str(pages), LC_ALL="C.UTF-8", PYTHONDONTWRITEBYTECODE="1"))
    if build.returncode != 0:
        raise SystemExit(build.stdout)
    faults = [line for line in warnings if ": warning:" in line or ": error:" in line]
    faults += check.site_faults(site) + check.repository_faults(sources)
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        raise SystemExit(f"{len(faults)} faults in the documentation")
    print(f"{sum(1 for _ in site.rglob('*.html'))} pages in {site}")


if __name__ == "__main__":
    main()
