#include <fitup/base/error.h>
#include <viewer/gui/commands.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/status_line.h>

namespace fitup::viewer {
namespace {

PickedFace pickedFace(const Assembly& assembly, const std::string& path, const std::string& face) {
  const MeasureTarget target = targetOf(assembly, {path, face});
  return {target.instance, *target.surface};
}

void mateFaces(MainWindow& w, const Words& words) {
  const Assembly& assembly = w.document().session()->assembly();
  const PickedFace moved = pickedFace(assembly, words[0], words[1]),
                   fixed = pickedFace(assembly, words[2], words[3]);
  MateTool& tool = w.mate();
  Session& session = *w.document().session();
  const auto before = session.state().motions;
  while (tool.first()) tool.escape();
  for (const PickedFace& face : {moved, fixed})
    if (const QString why = tool.take(face); !why.isEmpty()) {
      while (tool.first()) tool.escape();
      throw InputError("'" + assembly.path(face.instance) + "'",
                       "face " + std::to_string(index(face.surface)), why.toStdString());
    }
  if (words.size() < 5) return;
  if (!tool.canFlip()) {
    if (session.state().motions != before) session.undo();
    throw InputError("these faces mate in one sense only");
  }
  tool.flip();
}

}  // namespace

void Commands::addMates(MainWindow& w) {
  using enum Command::Needs;
  using enum Parameter::Kind;
  MateTool& tool = w.mate();
  ViewInteraction& interaction = w.view().interaction();
  const auto exploded = [&w]() -> std::string {
    if (!w.view().presenter().isExploded()) return {};
    return QT_TRANSLATE_NOOP("fitup::viewer", "parts cannot be mated in an exploded view");
  };
  Command& mate = add(
      "mate",
      {tr("&Mate faces..."), "Y",
       tr("Two clicks move a part: a face onto a face, an axis onto an axis, a centre onto a centre")},
      model, {{"PATH"}, {"N", count}, {"PATH"}, {"N", count}, {"flip", choice, Parameter::Times::optional}},
      [&w](const Words& words) { mateFaces(w, words); });
  mate.ask = [&w, &tool] {
    w.view().setFocus();  // for Esc
    tool.setActive(!tool.isActive());
  };
  mate.checked = [&tool] { return tool.isActive(); };
  mate.refusal = exploded;
  Command& from =
      add("mate this-face",
          {tr("&Mate this face with..."), {}, tr("The next click chooses the face to mate it with")}, model,
          {}, {});
  from.ask = [&w, &tool, &interaction] {
    w.view().setFocus();
    tool.setActive(true);
    while (tool.first()) tool.escape();
    if (const QString why = tool.take(*interaction.menuFace()); !why.isEmpty())
      w.statusLine().tellBriefly(why);
  };
  from.refusal = [&interaction, exploded]() -> std::string {
    if (interaction.menuFace()) return exploded();
    return QT_TRANSLATE_NOOP("fitup::viewer", "no face of a part is chosen");
  };

  Document& document = w.document();
  add("mates",
      {tr("&Suggest mates"), "Ctrl+J", tr("Planes and holes that the selected parts could be mated with")},
      nothing, {onOrOff},
      [&document](const Words& words) {
        CheckSettings settings = document.check().settings();
        settings.mates = isOn(words[0]);
        document.check().setSettings(settings);
      })
      .checked = [&document] { return document.check().settings().mates; };
  const auto noOffer = [&w]() -> std::string { return w.mates().whyNone(); };
  add("join",
      {tr("&Join: snap to the suggested mate"), "J", tr("Moves the parts so that the suggested mate fits")},
      nothing, {}, [&w](auto&) { w.mates().accept(); })
      .refusal = noOffer;
  add("next-offer", {tr("&Next suggestion"), "Shift+J", tr("Shows another mate if there are several")},
      nothing, {}, [&w](auto&) { w.mates().next(); })
      .refusal = noOffer;
}

}  // namespace fitup::viewer
