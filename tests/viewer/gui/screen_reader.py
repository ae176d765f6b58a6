"""What a screen reader reads of the window: screen_reader.py FITUP VIEWER

Runs the viewer with a model and walks its objects as they are on the accessibility bus (AT-SPI), to which Orca
listens. Everything that takes the focus needs a name, the panels have their roles, and a button works through the bus. Needs a display and a session bus of its own.
"""

import os
import subprocess
import sys
import tempfile
import time

import pyatspi

# Parts of other widgets, and cells, which may be empty.
NAMELESS = {"list", "table cell", "filler", "unknown"}


def wait_for(what, find, seconds=60):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = find()
        if found:
            return found
        time.sleep(0.2)
    sys.exit(f"waited {seconds} s for {what}")


def below(node, depth=0):
    yield node
    if depth > 20:
        return
    for i in range(node.childCount):
        child = node.getChildAtIndex(i)
        if child is not None:
            yield from below(child, depth + 1)


def named(root, role, name):
    return next((n for n in below(root) if n.getRoleName() == role and n.name == name), None)


def has(node, state):
    return node.getState().contains(state)


def act(node, action):
    actions = node.queryAction()
    names = [actions.getName(i) for i in range(actions.nActions)]
    if action not in names:
        sys.exit(f"{node.name}: no action {action}, only {names}")
    actions.doAction(names.index(action))


def check(window):
    roles = {n.getRoleName() for n in below(window)}
    missing = {"menu bar", "tool bar", "tree", "status bar", "page tab", "check box", "combo box"} - roles
    if missing:
        sys.exit(f"no {', '.join(sorted(missing))}")
    trees = {n.name for n in below(window) if n.getRoleName() in ("tree", "tree table")}
    if not {"Parts", "Interference"} <= trees:
        sys.exit(f"trees: {trees}")
    nameless = [
        f"{n.getRoleName()} in {n.parent.name or n.parent.getRoleName()}"
        for n in below(window)
        if has(n, pyatspi.STATE_FOCUSABLE) and has(n, pyatspi.STATE_VISIBLE) and not n.name and n.getRoleName() not in NAMELESS
    ]
    if nameless:
        sys.exit("without a name: " + "; ".join(nameless))

    button = named(named(window, "tool bar", "Drag mode and checks"), "check box", "Verdicts: clash, contact or clear")
    before = has(button, pyatspi.STATE_CHECKED)
    act(button, "Toggle")
    wait_for("the switched command", lambda: has(button, pyatspi.STATE_CHECKED) != before)


def main(fitup, viewer):
    bus = subprocess.Popen(["/usr/libexec/at-spi-bus-launcher", "--launch-immediately"], stderr=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "plant.fitup")
        subprocess.run([fitup, "generate", "plant", model], check=True, stdout=subprocess.DEVNULL)
        home = {f"XDG_{kind}_HOME": folder for kind in ("DATA", "CONFIG", "CACHE")}
        window = subprocess.Popen(
            [viewer, model, "--language", "en"],
            env=os.environ | home | {"QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "QT_ACCESSIBILITY": "1"},
        )
        try:
            desktop = pyatspi.Registry.getDesktop(0)
            frame = wait_for(
                "the window",
                lambda: next(
                    (f for a in desktop if a is not None and a.name == "fitup-viewer"
                     for f in a if f is not None and "plant.fitup" in f.name),
                    None,
                ),
            )
            wait_for("the tree", lambda: named(frame, "table cell", "drum"))
            check(frame)
        finally:
            window.terminate()
            window.wait()
            bus.terminate()


main(*sys.argv[1:])
