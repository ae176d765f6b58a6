#include <viewer/gui/commands.h>

#include <fitup/base/error.h>
#include <viewer/gui/scene_view.h>

namespace fitup::viewer {
namespace {

/// Commands about the places of parts, which an exploded view does not show.
bool isAboutPlaces(const std::string& id) {
  for (const char* one : {"measuring", "measure", "measure-selected", "section", "section toggle",
                          "section flip", "section across", "section add", "section box"})
    if (id == one) return true;
  return false;
}

}  // namespace

void Commands::addExploded(MainWindow& w) {
  SceneView& view = w.view();
  Command& explode = add(
      "explode",
      {tr("&Exploded view"), "Shift+E", tr("Draws the parts apart, and shows the slider that sets how far")},
      Command::Needs::model, {{"FRACTION", Parameter::Kind::number}}, [&view](const Words& words) {
        const double fraction = numberOf(words[0]);
        if (!(fraction >= 0 && fraction <= 1))
          throw InputError("'" + words[0] + "' is not a fraction from 0 to 1");
        view.exploded().setFraction(fraction);
      });
  explode.ask = [&view] { view.exploded().toggle(); };
  explode.refusal = [&w] {
    return w.drag().isActive() ? QT_TRANSLATE_NOOP("fitup::viewer", "a part is still moving") : std::string();
  };
  explode.checked = [&view] { return !view.exploded().isHidden(); };
  for (const auto& command : all_) {
    if (!isAboutPlaces(command->id)) continue;
    command->refusal = [&view, other = command->refusal]() -> std::string {
      if (view.presenter().isExploded())
        return QT_TRANSLATE_NOOP("fitup::viewer",
                                 "the view is exploded; set it to 0 to measure or to cut the model");
      return other ? other() : std::string();
    };
  }
}

}  // namespace fitup::viewer
