#include <viewer/gui/mouse_text.h>

#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

QString effectText(CameraDrag drag) {
  switch (drag) {
    case CameraDrag::orbit:
      return tr("turns the view about the point under the cursor");
    case CameraDrag::pan:
      return tr("shifts the view");
    case CameraDrag::zoom:
      return tr("zooms; upwards moves nearer");
    case CameraDrag::none:
      break;
  }
  return {};
}

QString dragText(MouseButton button, HeldKeys keys) {
  QString text = button == MouseButton::left    ? tr("Left drag")
                 : button == MouseButton::right ? tr("Right drag")
                                                : tr("Middle drag");
  if (keys.shift) text = tr("Shift + %1").arg(text);
  if (keys.control) text = tr("Ctrl + %1").arg(text);
  return text;
}

/// The drags that move the camera. A key that changes nothing is not mentioned.
void addCameraDrags(NavigationPreset preset, std::vector<InputEffect>& rows) {
  for (const MouseButton button : {MouseButton::middle, MouseButton::right}) {
    const CameraDrag plain = cameraDrag(preset, button, {});
    for (const HeldKeys keys : {HeldKeys{}, HeldKeys{true, false}, HeldKeys{false, true}}) {
      const CameraDrag drag = cameraDrag(preset, button, keys);
      const bool isPlain = !keys.shift && !keys.control;
      if (drag != CameraDrag::none && (isPlain || drag != plain))
        rows.push_back({dragText(button, keys), effectText(drag)});
    }
  }
}

}  // namespace

std::vector<InputEffect> mouseEffects(NavigationPreset preset) {
  std::vector<InputEffect> rows{
      {tr("Click"),
       tr("selects the part under the cursor and its face; with Ctrl, adds it to the selection")},
      {tr("Double click"), tr("zooms to the part; beside all parts, to everything")},
      {tr("Left drag of a selected part, or of its arrows and rings"), tr("moves the selected parts")}};
  const CameraDrag left = cameraDrag(preset, MouseButton::left, {});
  rows.push_back({tr("Left drag elsewhere"),
                  left == CameraDrag::none ? tr("selects the parts in the rectangle") : effectText(left)});
  rows.push_back({dragText(MouseButton::left, {true, false}),
                  tr("selects the parts in the rectangle; drawn to the left, also those that it crosses")});
  rows.push_back({dragText(MouseButton::left, {false, true}), tr("zooms to the rectangle")});
  addCameraDrags(preset, rows);
  rows.push_back({tr("Wheel"), wheelGoesNearer(preset)
                                   ? tr("zooms to the cursor; away from you moves nearer")
                                   : tr("zooms to the cursor; towards you moves nearer")});
  rows.push_back({tr("Arrow keys, page up and page down"),
                  tr("move the selected parts by one step; with Shift, they turn them")});
  rows.push_back({tr("Esc"), tr("cancels a drag, takes back a click of a measurement, or selects nothing")});
  return rows;
}

}  // namespace fitup::viewer
