#include <viewer/gui/commands.h>

#include <cmath>

#include <fitup/base/error.h>
#include <viewer/core/placed_surface.h>
#include <viewer/core/section_planes.h>
#include <viewer/gui/scene_view.h>

namespace fitup::viewer {
namespace {

constexpr const char* axes = "x|y|z|-x|-y|-z";

/// The plane perpendicular to an axis such as "-x", at a coordinate.
SectionPlane planeAcross(const std::string& axis, const std::string& coordinate) {
  const double side = axis.front() == '-' ? -1 : 1, offset = numberOf(coordinate);
  if (!(std::abs(offset) <= farthestMoved))
    throw InputError("'" + coordinate + "' is farther than 1e9 from the origin");
  SectionPlane plane{{}, offset * side, true};
  plane.normal[axis.back() - 'x'] = side;
  return plane;
}

/// A section through what is selected: along the axis of the chosen face, so that a bolt is seen in its hole,
/// or else through the middle of the parts.
SectionPlane planeThroughSelection(MainWindow& w) {
  const std::vector<NodeId> selected(w.document().selection().begin(), w.document().selection().end());
  const Session& session = *w.document().session();
  const Box around = session.worldBounds(selected);
  const Vec3 forward = w.view().camera().forward();
  if (selected.size() == 1 && w.document().face()) {
    const PlacedSurface face = placedSurface(session.assembly().meshOf(selected.front()),
                                             *w.document().face(), session.worldFromPart(selected.front()));
    if (face.shape && norm(face.shape->axis) > 0) {
      const Vec3 axis = normalized(face.shape->axis);
      const bool isPlane = face.shape->kind == SurfaceKind::plane;
      return planeAlong(axis, isPlane ? around.centre() : face.shape->point, forward);
    }
  }
  return planeThroughMiddle(around, axisTowardsViewer(forward));
}

}  // namespace

void Commands::addSections(MainWindow& w) {
  using enum Command::Needs;
  using enum Parameter::Kind;
  const std::string label = "Section";
  Document& document = w.document();
  const auto noSection = [&document] {
    return document.session()->state().sections.empty() ? std::string("there is no section") : std::string();
  };

  addEdit("section toggle", {tr("&Section on or off"), "C", tr("Cuts the model at the section planes")},
          model, {}, label,
          [&w](SessionState& state, auto&) {
            toggleAll(state.sections, w.document().session()->visibleBounds(), w.view().camera().forward());
          })
      .checked = [&document] {
    return document.session() != nullptr && anyEnabled(document.session()->state().sections);
  };
  Command& flip =
      addEdit("section flip", {tr("Flip the section"), "X", tr("Shows the hidden side and hides the other")},
              model, {}, label, [&document](SessionState& state, auto&) {
                SectionPlane& plane = state.sections.at(document.chosenSection());
                plane = flipped(plane);
              });
  flip.refusal = noSection;
  addEdit("section across",
          {tr("Section across the line of sight"), "Shift+C", tr("Cuts through the middle of the model")},
          model, {}, label, [&w](SessionState& state, auto&) {
            const SectionPlane plane =
                planeThroughMiddle(w.document().session()->visibleBounds(), -w.view().camera().forward());
            if (state.sections.empty()) state.sections.emplace_back();
            state.sections.at(w.document().chosenSection()) = plane;
          });
  addEdit("section here",
          {tr("Section t&hrough the selected"), "Shift+H",
           tr("Cuts through the middle of the selected parts, along the axis of the chosen face")},
          selection, {}, label, [&w](SessionState& state, auto&) {
            const SectionPlane plane = planeThroughSelection(w);
            if (state.sections.empty()) state.sections.emplace_back();
            state.sections.at(w.document().chosenSection()) = plane;
          });
  Command& added =
      add("section add",
          {tr("&Add a section plane"), "Shift+X", tr("Cuts the model at one more plane, through its middle")},
          model, {{axes, choice, Parameter::Times::optional}, {"OFFSET", number, Parameter::Times::optional}},
          [&w, &document, label](const Words& words) {
            document.session()->edit(label, [&](SessionState& state) {
              addPlane(state.sections, document.session()->visibleBounds(), w.view().camera().forward());
              if (words.empty()) return;
              SectionPlane& plane = state.sections.back();
              plane = planeAcross(words[0], words.size() > 1 ? words[1] : "0");
              if (words.size() == 1)
                plane = planeThroughMiddle(document.session()->visibleBounds(), plane.normal);
            });
            document.chooseSection(document.session()->state().sections.size() - 1);
          });
  added.undoLabel = label;
  addEdit("section box",
          {tr("&Box section"), "B",
           tr("Cuts away what is outside a box around the selected parts, or around all that are shown")},
          model, {}, label, [&document](SessionState& state, auto&) {
            const std::vector<NodeId> selected(document.selection().begin(), document.selection().end());
            const Box around = selected.empty() ? document.session()->visibleBounds()
                                                : document.session()->worldBounds(selected);
            if (!around.empty()) state.sections = boxSection(around);
          });
  Command& removed = addEdit(
      "section remove",
      {tr("&Remove the section plane"), "Shift+B", tr("Removes the plane that is chosen in the panel")},
      model, {}, label, [&document](SessionState& state, auto&) {
        state.sections.erase(state.sections.begin() + static_cast<std::ptrdiff_t>(document.chosenSection()));
      });
  removed.refusal = noSection;
  addEdit(
      "section off",
      {tr("Remove a&ll section planes"), "Ctrl+Shift+X", tr("Shows the whole model, and forgets the planes")},
      model, {}, label, [](SessionState& state, auto&) { state.sections.clear(); });
  add("section choose", {}, model, {{"N", count}}, [&document](const Words& words) {
    const std::size_t number = countOf(words[0]);
    if (number < 1 || number > document.session()->state().sections.size())
      throw InputError("there is no section plane " + words[0]);
    document.chooseSection(number - 1);
  });
  addEdit(
      "section", {}, model, {{axes, choice}, {"OFFSET", number}}, label,
      [](SessionState& state, const Words& words) { state.sections = {planeAcross(words[0], words[1])}; });
}

}  // namespace fitup::viewer
