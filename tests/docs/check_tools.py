"""That the checks of the documentation can fail: run_page.py on pages that are not true, check.py on sites and repositories with
each kind of fault. Argument: the repository's root."""
import pathlib
import subprocess
import sys
import tempfile

sources = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(sources / "cmake" / "site"))
sys.dont_write_bytecode = True
import check  # noqa: E402


def page(text, *arguments, files=()):
    """Exit code and output of run_page.py."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "page.md").write_text(text)
        for path, content in files:
            (folder / path).write_text(content)
        run = subprocess.run([sys.executable, str(sources / "tests" / "docs" / "run_page.py"), "page.md", "work", *arguments],
                             cwd=folder, text=True, check=False, capture_output=True)
        return run.returncode, run.stdout + run.stderr


def is_true(text, *arguments, files=()):
    code, output = page(text, *arguments, files=files)
    assert code == 0, f"{text}\n{output}"


def is_untrue(text, *arguments, because, files=()):
    code, output = page(text, *arguments, files=files)
    assert code == 1 and because in output, f"exit code {code}, '{because}' expected:\n{text}\n{output}"


console = "```console\n{}\n```\n".format
is_true(console("$ echo one; echo two\none\ntwo\n$ false\n$ echo $?\n1"))
is_true(console("$ printf 'one\\ntwo\\nthree\\n'\n...\nthree"))
is_true(console("$ echo depth 1.52 mm\ndepth 1.5... mm"))
is_true(console("$ echo one \\\n> two\none two"))
is_true(console("$ printf 'no line break'\nno line break"))
is_untrue(console("$ echo one\ntwo"), because="prints\none")
is_untrue(console("$ echo one; echo two\none"), because="prints")
is_untrue(console("$ echo one\none\ntwo"), because="prints")
is_untrue(console("$ true\n$ echo $?\n1"), because="prints\n0")
is_untrue(console("$ printf 'one\\ntwo\\n'\n...\nthree"), because="prints")
is_untrue("No command.\n", because="no command was run")
is_untrue(console("$ exit 0"), because="the shell ended")
# Files that the page brings along.
is_true("[data](data.txt)\n" + console("$ cat data.txt\nthe data"), files=[("data.txt", "the data\n")])
is_true('```sh title="go.sh"\n#!/bin/sh\necho went\n```\n' + console("$ ./go.sh\nwent"))
is_true('```cpp title="a.cpp"\nint a;\n```\n' + console("$ cat a.cpp\nint a;"), "--same", "a.cpp=b.cpp", files=[("b.cpp", "int a;\n")])
is_untrue('```cpp title="a.cpp"\nint a;\n```\n' + console("$ true"), "--same", "a.cpp=b.cpp", because="is not b.cpp",
          files=[("b.cpp", "int b;\n")])
is_untrue(console("$ true"), "--same", "a.cpp=b.cpp", because="no block has the title a.cpp", files=[("b.cpp", "")])


def faults(found, *expected):
    assert len(found) == len(expected) and all(part in line for part, line in zip(expected, found)), \
        f"{expected} expected:\n" + "\n".join(found)


def site(**files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (pathlib.Path(folder) / name.replace("_", ".")).write_text(text)
        return check.site_faults(pathlib.Path(folder).resolve())


target = '<h1 id="there">There</h1>'
faults(site(a_html='<a href="b.html#there">b</a><a href="#here">a</a><p id="here"><a href="https://example.org">out</a>', b_html=target))
faults(site(a_html='<a href="c.html">c</a>', b_html=target), "a.html: dead link c.html")
faults(site(a_html='<a href="b.html#gone">b</a>', b_html=target), "a.html: dead anchor b.html#gone")
faults(site(a_html='<a href="#gone">a</a>'), "a.html: dead anchor #gone")
faults(site(a_html='<img src="gone.png">'), "a.html: dead link gone.png")
faults(site(a_html='<a href="../outside.html">a</a>'), "a.html: dead link ../outside.html")
for loads in ('<script src="https://cdn.example/a.js"></script>', '<link rel="stylesheet" href="//fonts.example/a.css">',
              '<img src="http://example.org/a.png">', "<style>@import 'https://fonts.example/a.css';</style>",
              '<p style="background: url(https://example.org/a.png)">'):
    faults(site(a_html=loads), "from elsewhere")
faults(site(a_css="@font-face { src: url(https://fonts.example/a.woff) }"), "from elsewhere")
faults(site(a_css="a { background: url(gone.svg) } b { background: url(data:image/svg+xml,x) }"), "dead link gone.svg")


def repository(**files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        for name, text in files.items():
            path = root / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return check.repository_faults(root)


page_text = "# Page\n\n## Two words, or `three`\n"
faults(repository(README_md="[a](docs/a.md) [b](docs/a.md#two-words-or-three) [c](https://example.org) `[d](e)`", docs__a_md=page_text))
faults(repository(README_md="[b](docs/b.md)", docs__a_md=page_text), "README.md: names docs/b.md", "README.md: dead link docs/b.md")
faults(repository(README_md="[a](docs/a.md#three)", docs__a_md=page_text), "README.md: dead anchor docs/a.md#three")
faults(repository(docs__a_md="[b](../examples/b.cpp) [c](c.md)"), "docs/a.md: dead link ../examples/b.cpp")
faults(repository(toolkit__a_h="/// See docs/a.md and docs/b.md.", docs__a_md=page_text), "toolkit/a.h: names docs/b.md")
faults(repository(CONTRIBUTING_md="`a/b.{h,cpp}`, `a/NAME.h`, `a/*.h`, `a/`, `c/d.h`", a__b_h="", a__b_cpp=""), "names c/d.h")
faults(repository(CONTRIBUTING_md="`a/b.{h,cpp}`", a__b_h=""), "names a/b.cpp")
