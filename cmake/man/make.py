#!/usr/bin/env python3
"""Makes the manual pages (section 1) of the programs from what they print for --help.

Usage: make.py [--check] FOLDER VERSION PROGRAM...

Writes a page for each PROGRAM and each of its commands into FOLDER: fitup.1, fitup-check.1, ... With --check, also renders each page
with groff and with mandoc, as far as they are installed, and fails for a warning."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ABOUT_FITUP = """Fitup finds which surfaces and which triangles of the parts of a CAD assembly intersect, in the assembly as designed and
while parts move. Its answers are exact for the given coordinates."""
SUBJECTS = {"fitup-bench": "compare the speed of Fitup with that of its peers",
            "fitup-viewer": "move parts of an assembly and see what they hit"}
DOCUMENTS = "The folder share/doc/fitup of the installation holds the README and the changelog."

# How CLI11 prints what an option takes: --angular FLOAT:above 0=0.5
TYPES = r"(?:TEXT|FLOAT|UINT|INT)"
LIMITS = r"(?:\{[^}]*\}|[A-Z]+(?: in \[[^\]]*\])?|(?:FLOAT|INT|UINT) in \[[^\]]*\]|above \S+?|from \S+ to [^\s=]+|from 0)"
LABEL = re.compile(rf"^(?P<names>-[\w,-]+|[A-Z]+)(?: (?P<type>{TYPES})(?::(?P<limits>{LIMITS}))?(?:=(?P<default>\S+))?)?"
                   r"(?: x (?P<count>\d+))?(?P<more> \.\.\.)?(?P<required> REQUIRED)?"
                   r"(?: Needs: (?P<needs>[-\w]+(?: [-\w]+)*?))?(?: Excludes: (?P<excludes>[-\w]+(?: [-\w]+)*?))?$")
COLUMN = 30  # of the descriptions


class Page:
    """Text of a manual page: escapes what roff would read as its own."""

    def __init__(self, name, version):
        self.lines = [f'.TH {name.upper()} 1 "" "Fitup {version}" "User Commands"', ".nh"]  # options are not hyphenated

    def section(self, title):
        self.lines.append(f'.SH "{title}"')

    def text(self, text):
        """A paragraph; a line for each sentence, as roff spaces them."""
        for line in re.split(r"(?<=[.;:]) (?=[A-Z])", " ".join(text.split())):
            self.lines.append(protected(escaped(line)))

    def tagged(self, tag, text):
        self.lines += [".TP", protected(tag)]
        self.text(text) if text else self.lines.append("\\&")

    def verbatim(self, lines):
        self.lines += [".nf"] + [protected(escaped(line)) for line in lines] + [".fi"]

    def write(self, path):
        path.write_text("\n".join(self.lines) + "\n", encoding="utf-8")


def escaped(text):
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("^", "\\(ha").replace("~", "\\(ti").replace("`", "\\(ga")


def protected(line):
    """A line that begins with a dot or a quote is text too."""
    return "\\&" + line if line[:1] in (".", "'") else line


def bold(text):
    return f"\\fB{escaped(text)}\\fR"


def italic(text):
    return f"\\fI{escaped(text)}\\fR"


def help_of(*command):
    """What a program prints for --help. The same on each machine, and without a display."""
    environment = dict(os.environ, LC_ALL="C.UTF-8", NO_COLOR="1", COLUMNS="1000", QT_QPA_PLATFORM="offscreen", ASAN_OPTIONS="detect_leaks=0")
    done = subprocess.run([*map(str, command), "--help"], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    if done.returncode != 0 or "Usage:" not in done.stdout:
        raise SystemExit(f"{' '.join(map(str, command))} --help: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def sections(text):
    """The help as a dictionary from the heading of a block to its lines. '' is what comes before, 'Usage' the line of usage,
    'Notes' what is said after the options."""
    blocks, heading = {"": []}, ""
    for line in text.splitlines():
        found = re.match(r"^(Usage|Options|Positionals|Arguments|Subcommands|Examples):\s*(.*)$", line)
        if found:
            heading = found[1]
            blocks[heading] = [found[2]] if found[2] else []
        elif line and not line.startswith(" ") and heading in ("Options", "Arguments", "Subcommands", "Examples"):
            blocks.setdefault("Notes", []).append(line)
            heading = "Notes"
        elif line and heading == "Usage":  # Qt describes the program after its usage
            blocks[""].append(line)
        elif line:
            blocks[heading].append(line)
    return blocks


def entries(lines):
    """Labels with their descriptions. A description stands in the label's line, and in lines that are indented further."""
    found = []
    for line in lines:
        if not re.match(r" {2}\S", line):
            if not found:
                raise SystemExit(f"a line of help that describes nothing: {line}")
            found[-1][1].append(line.strip())
            continue
        label, text = line.strip(), ""
        if not LABEL.match(label):
            apart = re.match(r"^(.*?\S) {2,}(\S.*)$", label)
            if apart:
                label, text = apart.groups()
            else:
                label, text = line[:COLUMN].strip(), line[COLUMN:].strip()
        found.append((label, [text] if text else []))
    return [(label, " ".join(text)) for label, text in found]


def sentence(text):
    return text if not text or text[-1] in ".:;!?" else text + "."


def option(page, label, text):
    """An option: its names in bold, what it takes in italics, limits and default in words."""
    found = LABEL.match(label)
    if not found and re.search(rf" {TYPES}\b", label):
        raise SystemExit(f"not understood: {label}")
    if not found:  # Qt's: --size <WxH>
        names, _, value = label.partition(" <")
        page.tagged(", ".join(map(bold, names.split(", "))) + (" " + italic(value.rstrip(">")) if value else ""), sentence(text))
        return
    tag = ", ".join(map(bold if found["names"].startswith("-") else italic, found["names"].split(",")))
    limits, kind = found["limits"] or "", found["type"]
    if kind and found["names"].startswith("-"):
        value = {"FILE": "FILE", "DIR": "FOLDER"}.get(limits, {"TEXT": "TEXT", "FLOAT": "NUMBER"}.get(kind, "COUNT"))
        tag += "".join(" " + italic(value) for _ in range(int(found["count"] or 1)))
    tag += " ..." if found["more"] else ""
    said = sentence(text)
    if limits.startswith("{") and not all(word in text for word in limits[1:-1].split(",")):
        said += " One of: " + limits[1:-1].replace(",", ", ") + "."
    elif " in [" in limits:
        low, high = re.search(r"\[(\S+) - (\S+)\]", limits).groups()
        said += f" From {low} to {high}."
    elif limits == "POSITIVE":
        said += " Above 0."
    elif limits[:5] in ("above", "from "):
        said += f" {limits[5:].removesuffix(' on')} or more." if limits.endswith(" on") else f" {limits.capitalize()}."
    if found["default"]:
        said += f" Default: {found['default']}."
    if found["needs"]:
        said += f" Only with {' and '.join(found['needs'].split())}."
    if found["excludes"]:
        said += f" Not with {' or '.join(found['excludes'].split())}."
    page.tagged(tag, said.strip())


def synopsis(page, name, program, usage):
    words = re.sub(r"^\S*" + re.escape(program) + r"\b", "", usage).split()
    page.section("SYNOPSIS")
    # `fitup check`: the command is part of the name
    command = []
    while words and re.fullmatch(r"[a-z][a-z-]*", words[0]):
        command.append(words.pop(0))
    page.lines.append(" ".join([bold(" ".join([program] + command))] + [italic(word) if word[0].isupper() else escaped(word) for word in words]))


def write_page(folder, version, program, path, command, related, written):
    """The page of a program or of its command, and those of the commands below it."""
    blocks = sections(help_of(path, *command))
    name = "-".join([program, *command])
    commands = entries(blocks.get("Subcommands", []))
    about, notes = [line for line in blocks[""] if not line.startswith("Exit codes:")], " ".join(blocks.get("Notes", []))
    exits = re.search(r"Exit codes[^:]*: ([^.]*)\. ?", " ".join(line for line in blocks[""] if line not in about) + notes)
    page = Page(name, version)
    page.section("NAME")
    summary = SUBJECTS.get(name) or about[0].rstrip(".")
    page.lines.append(f"{escaped(name)} \\- {escaped(summary[0].lower() + summary[1:])}")
    synopsis(page, name, program, blocks["Usage"][0])
    page.section("DESCRIPTION")
    page.text(" ".join(map(sentence, about)))
    if program == "fitup" and not command:
        page.lines.append(".PP")
        page.text(ABOUT_FITUP)
    notes = notes.replace(exits[0], "") if exits else notes
    if notes:
        page.lines.append(".PP")
        page.text(notes)
    for heading, title in (("Positionals", "ARGUMENTS"), ("Arguments", "ARGUMENTS"), ("Options", "OPTIONS")):
        if blocks.get(heading):
            page.section(title)
            for label, text in entries(blocks[heading]):
                option(page, label, text)
    if commands:
        page.section("COMMANDS")
        for label, text in commands:
            page.tagged(bold(label), sentence(text) + ("" if command else f" See {name}-{label}(1)."))
    if exits:
        page.section("EXIT STATUS")
        for code, meaning in re.findall(r"(\d) (.*?)(?=, \d |$)", exits[1]):
            page.tagged(bold(code), sentence(meaning[0].upper() + meaning[1:]))
    if blocks.get("Examples"):
        page.section("EXAMPLES")
        page.verbatim([line.strip() for line in blocks["Examples"]])
    page.section("SEE ALSO")
    others = [other for other in (related if not command else [program]) if other != name]
    others += [f"{name}-{label}" for label, _ in commands] if not command else []
    page.lines.append(", ".join(f"\\fB{escaped(other)}\\fR(1)" for other in others))
    page.lines.append(".PP")
    page.text(DOCUMENTS)
    page.write(folder / f"{name}.1")
    written.append(folder / f"{name}.1")
    if not command:
        for label, _ in commands:
            write_page(folder, version, program, path, [label], related, written)


def faults(page):
    """What the formatters that are installed say of a page, a line each; and which there are."""
    found, used = [], []
    checks = {"groff": ["groff", "-man", "-Tutf8", "-ww", "-z"], "mandoc": ["mandoc", "-Tlint", "-Wwarning"]}
    for name, command in checks.items():
        if shutil.which(name):
            used.append(name)
            done = subprocess.run([*command, str(page)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            # Pages bear no date, so that a build can be repeated.
            found += [f"{name}: {line}" for line in done.stdout.splitlines() if "missing date" not in line]
    return found, used


def main():
    arguments = sys.argv[1:]
    check = arguments[:1] == ["--check"]
    if len(arguments) - check < 3:
        raise SystemExit(__doc__)
    folder, version, *programs = arguments[check:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.1"):
        old.unlink()
    names = [pathlib.Path(program).name for program in programs]
    related = [name for name in names if name != "fitup-bench"]  # which is not installed
    written = []
    for name, program in zip(names, programs):
        write_page(folder, version, name, program, [], related, written)
    if not check:
        return
    found, used = [], []
    for page in written:
        lines, used = faults(page)
        found += lines
        text = page.read_text()
        found += [f"{page}: no section {title}" for title in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SEE ALSO")
                  if f'.SH "{title}"' not in text]
    if not used:
        print("skipped: neither groff nor mandoc is installed")
        return
    print("\n".join(found))
    if found:
        raise SystemExit(f"{len(found)} faults in manual pages")
    print(f"{len(written)} manual pages without warnings of {' and '.join(used)}")


if __name__ == "__main__":
    main()
