"""Does what a page of the documentation asks its reader to do, and compares the output with the page.

Usage: run_page.py PAGE FOLDER [--path DIR]... [--same TITLE=FILE]... [--built NAME=FILE]...

In an empty FOLDER, from the top of the page:
- a link to a file beside the page copies it;
- a block of code with title="NAME" is written to the file NAME; --same also demands that it equals FILE, and that PAGE has it;
- of a ```console block each line that begins with "$ " runs in one shell, a line that ends in a backslash goes on in the next
  line after "> ", and what follows is what it prints on its standard output. There "..." stands for any text in a line, and
  as a line by itself for any lines. The command after a failed one still runs, so that a page may show `echo $?`.
--path DIR comes before PATH. --built NAME=FILE puts a program of this build into the folder and passes over the commands of
cmake, which would build it. Exit code 1, with the difference, if the page is not true."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

END = "-- end of command --"


def blocks(text):
    """(info, lines) of each fenced block, and ("", line) of each other line."""
    lines = iter(text.splitlines())
    for line in lines:
        if not line.startswith("```"):
            yield "", line
            continue
        content = []
        for inner in lines:
            if inner.startswith("```"):
                break
            content.append(inner)
        yield line[3:], content


def commands(block):
    """(command, lines that it prints) of a console block."""
    found = []
    for line in block:
        if line.startswith("$ "):
            found.append([line[2:], []])
        elif not found:
            raise SystemExit(f"a console block begins with output: {line}")
        elif line.startswith("> ") and found[-1][0].endswith("\\"):
            found[-1][0] += "\n" + line[2:]
        else:
            found[-1][1].append(line)
    return found


def is_as_shown(output, shown):
    parts = ["(?:.*\n)*?" if line == "..." else ".*".join(map(re.escape, line.split("..."))) + "\n" for line in shown]
    return re.fullmatch("".join(parts), output if not output or output.endswith("\n") else output + "\n") is not None


class Shell:
    def __init__(self, folder, path):
        environment = dict(os.environ, LC_ALL="C.UTF-8", XDG_CACHE_HOME=str(folder / ".cache"))
        environment["PATH"] = os.pathsep.join([*map(str, path), environment["PATH"]])
        self.log = open(folder / ".stderr", "w+", encoding="utf-8")
        self.process = subprocess.Popen(["bash"], cwd=folder, env=environment, text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.log)

    def run(self, command):
        # The status is kept for the next command of the page.
        self.process.stdin.write(f"(exit ${{status:-0}})\n{command}\nstatus=$?\necho '{END}'\n")
        self.process.stdin.flush()
        output = ""
        for line in self.process.stdout:
            if line.endswith(END + "\n"):
                return output + line[:-len(END) - 1]
            output += line
        raise SystemExit(f"the shell ended with: {command}\n{output}")

    def errors(self):
        self.log.seek(0)
        return self.log.read()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    for option in ("path", "same", "built"):
        parser.add_argument(f"--{option}", action="append", default=[])
    given = parser.parse_args()
    same = dict(pair.split("=", 1) for pair in given.same)
    folder = given.folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for pair in given.built:
        name, program = pair.split("=", 1)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(program)

    shell, ran = Shell(folder, [pathlib.Path(path).resolve() for path in given.path]), 0
    for info, content in blocks(given.page.read_text(encoding="utf-8")):
        if not info:
            for name in re.findall(r"\]\(([\w.-]+)\)", content):
                if not name.endswith(".md"):
                    shutil.copy(given.page.parent / name, folder)
            continue
        title = re.search(r'title="([^"]+)"', info)
        if title:
            text = "\n".join(content) + "\n"
            path = folder / title[1]
            path.write_text(text, encoding="utf-8")
            if text.startswith("#!"):
                path.chmod(0o755)
            original = same.pop(title[1], None)
            if original and pathlib.Path(original).read_text(encoding="utf-8") != text:
                raise SystemExit(f"{given.page}: the block {title[1]} is not {original}")
        if not info.startswith("console"):
            continue
        for command, shown in commands(content):
            if given.built and command.startswith("cmake "):
                continue
            output, ran = shell.run(command), ran + 1
            if not is_as_shown(output, shown):
                raise SystemExit(f"{given.page}: $ {command}\nprints\n{output}\nwhere the page has\n" + "\n".join(shown) +
                                 f"\n\non the error output of all commands:\n{shell.errors()}")
    if same:
        raise SystemExit(f"{given.page}: no block has the title " + ", ".join(same))
    if not ran:
        raise SystemExit(f"{given.page}: no command was run")
    print(f"{ran} commands of {given.page.name} print what the page shows")


if __name__ == "__main__":
    sys.exit(main())
