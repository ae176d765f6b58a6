#include <viewer/gui/commands.h>

#include <fitup/base/error.h>
#include <fitup/io/track_file.h>
#include <viewer/core/gizmo.h>
#include <viewer/core/length_scale.h>
#include <viewer/gui/file_dialogs.h>
#include <viewer/gui/number_field.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/shown_sweep.h>
#include <viewer/gui/time_line.h>
#include <viewer/gui/way_out.h>
#include <viewer/gui/way_out_panel.h>

namespace fitup::viewer {
namespace {

double secondsOf(const std::string& word) {
  const double seconds = numberOf(word);
  if (!(seconds >= WayOut::Settings::leastSeconds && seconds <= WayOut::Settings::mostSeconds))
    throw InputError("the time of a search is 0.1 to 86400 seconds");
  return seconds;
}

std::string noWay(const WayOut& wayOut) {
  return wayOut.track() ? "" : QT_TRANSLATE_NOOP("fitup::viewer", "no way out was found");
}

void askAccuracy(MainWindow& w, const Command& sweep) {
  const LengthUnit unit = w.document().lengthUnit();
  const double usual = w.sweep().usualAccuracy();
  // The usual one is rounded for the field; who does not change it gets it as it is.
  const double asked = unit.shown(usual);
  const auto value = askNumber(
      &w,
      {Commands::tr("Swept volume"),
       Commands::tr("How far the surface may lie outside of what is swept, in %1.\nHalf of it takes about "
                    "four times as long.")
           .arg(unitAfterIn(unit)),
       asked, 0, unit.shown(1e6), std::max(4, decimalsFor(asked) + 2)});
  if (!value) return;
  if (*value == asked) return sweep.execute({"on"});
  w.sweep().show(unit.model(*value));
}

}  // namespace

void Commands::addWayOut(MainWindow& w) {
  using enum Command::Needs;
  using enum Parameter::Kind;
  using enum Parameter::Times;
  Document& document = w.document();
  WayOut& wayOut = w.wayOut();
  Command& search =
      add("way-out",
          {tr("Find a way &out"), "Shift+O",
           tr("Looks for a motion that takes the selected parts out, and shows what is in the way")},
          selection, {{"SECONDS", number, optional}}, [&w, &wayOut, &document](const Words& words) {
            if (!words.empty()) {
              WayOut::Settings settings = wayOut.settings();
              settings.seconds = secondsOf(words[0]);
              wayOut.setSettings(settings);
            }
            raisePanel(w.wayOutPanel());
            wayOut.search(document.selection());
          });
  action(search.id).setIconText(tr("Find for the selected"));
  Command& again =
      add("way-out again",
          {tr("Search again"), {}, tr("Looks for a way of the same parts, from where they are now")}, model,
          {}, [&wayOut](auto&) { wayOut.searchAgain(); });
  again.refusal = [&wayOut] {
    return wayOut.parts().empty() ? QT_TRANSLATE_NOOP("fitup::viewer", "no way out was looked for yet") : "";
  };
  again.available = [&wayOut, &document] { return document.session() != nullptr && !wayOut.parts().empty(); };
  add("way-out stop", {tr("Stop"), {}, tr("Ends the search; what it has found by then is the answer")}, model,
      {}, [&wayOut](auto&) { wayOut.stop(); })
      .available = [&wayOut] { return wayOut.isSearching(); };
  Command& accept =
      add("way-out accept",
          {tr("&Accept the way out"), "Ctrl+Alt+O",
           tr("Adds the way to the motions of the session, where it can be checked, edited and saved")},
          model, {}, [&wayOut](auto&) { wayOut.accept(); });
  accept.refusal = [&wayOut] { return noWay(wayOut); };
  accept.available = [&wayOut] { return wayOut.track() && !wayOut.isAccepted(); };
  action("way-out accept").setIconText(tr("Accept as motion"));
  add("way-out play", {tr("Play"), {}, tr("Accepts the way as a motion and plays it from its start")}, model,
      {},
      [&w, &wayOut](auto&) {
        wayOut.accept();
        w.document().motion().goTo(0);
        w.view().keepInView(wayOut.bounds());
        w.timeLine().play(true);
      })
      .refusal = [&wayOut] { return noWay(wayOut); };
  action("way-out play").setIcon({});
  Command& save = add("way-out save", {tr("Save..."), {}, tr("Saves the way as a track")}, model,
                      {{"FILE", file}}, [&wayOut](const Words& words) { wayOut.save(words[0]); });
  save.ask = [&w, &wayOut] {
    const QString name =
        askWhereToSave(&w.wayOutPanel(), tr("Save the way out"), QStringLiteral("way-out.track.json"),
                       fileFilter(tr("Tracks"), trackExtensions(" ", " ")), QStringLiteral("json"));
    if (!name.isEmpty()) wayOut.save(name.toStdString());
  };
  save.refusal = [&wayOut] { return noWay(wayOut); };
  add("way-out clue", {}, model, {{"N", count}}, [&wayOut](const Words& words) {
    const std::size_t clue = countOf(words[0]), count = wayOut.answer() ? wayOut.answer()->clues.size() : 0;
    if (clue < 1 || clue > count) throw InputError("there is no line " + words[0] + " of what is in the way");
    wayOut.choose(clue - 1);
  });
  addGuides(w);
  connect(&wayOut, &WayOut::changed, this, &Commands::refresh);
  w.wayOutPanel().addButtons(WayOutPanel::Row::way,
                             {&action("way-out play"), &action("way-out accept"), &action("way-out save")});
  w.wayOutPanel().addButtons(WayOutPanel::Row::search, {&action("way-out again"), &action("way-out")});
  w.wayOutPanel().addButtons(WayOutPanel::Row::stop, {&action("way-out stop")});
}

void Commands::addGuides(MainWindow& w) {
  using enum Command::Needs;
  using enum Parameter::Kind;
  using enum Parameter::Times;
  WayOut& wayOut = w.wayOut();
  WayOutPanel& panel = w.wayOutPanel();
  const auto partsOrSelection = [&w, &wayOut] {
    return wayOut.parts().empty() ? w.document().selection()
                                  : std::set<NodeId>(wayOut.parts().begin(), wayOut.parts().end());
  };
  const auto noneChosen = [&wayOut] {
    return wayOut.chosenGuide() ? "" : QT_TRANSLATE_NOOP("fitup::viewer", "no guide point is chosen");
  };
  const auto searching = [&wayOut]() -> std::string {
    return wayOut.isSearching() ? QT_TRANSLATE_NOOP("fitup::viewer", "a way out is being looked for") : "";
  };
  Command& begin = add("way-out guide",
                       {tr("Add a guide point"),
                        {},
                        tr("A copy of the parts appears; you move it to a place that the way shall pass")},
                       model, {}, [&w, &wayOut, partsOrSelection](auto&) {
                         raisePanel(w.wayOutPanel());
                         wayOut.addGuide(partsOrSelection());
                       });
  begin.refusal = [searching, partsOrSelection]() -> std::string {
    if (const std::string why = searching(); !why.empty()) return why;
    return partsOrSelection().empty() ? QT_TRANSLATE_NOOP("fitup::viewer", "nothing is selected") : "";
  };
  add("way-out choose-guide", {}, model, {{"N", count}}, [&wayOut](const Words& words) {
    const std::size_t guide = countOf(words[0]);
    if (guide < 1 || guide > wayOut.guideCount()) throw InputError("there is no guide point " + words[0]);
    wayOut.chooseGuide(guide - 1);
  });
  add("way-out move-guide", {}, model,
      {{"X", number},
       {"Y", number},
       {"Z", number},
       {"RX", number, optional},
       {"RY", number, optional},
       {"RZ", number, optional}},
      [&wayOut](const Words& words) {
        Vec3 shift, turn;
        for (std::size_t i = 0; i < words.size(); ++i)
          (i < 3 ? shift : turn)[static_cast<int>(i % 3)] = numberOf(words[i]);
        wayOut.moveGuide(motionAbout(wayOut.guideCentre(), turnAboutAxes(turn), shift));
      })
      .refusal = [searching, noneChosen]() -> std::string {
    const std::string why = searching();
    return why.empty() ? noneChosen() : why;
  };
  Command& remove = add("way-out remove-guide",
                        {tr("Remove"), {}, tr("Removes the chosen guide point, or all if none is chosen")},
                        model, {}, [&wayOut](auto&) {
                          if (wayOut.chosenGuide())
                            wayOut.removeGuide();
                          else
                            wayOut.removeGuides();
                        });
  remove.available = [&wayOut] { return wayOut.guideCount() > 0 && !wayOut.isSearching(); };
  panel.addButtons(WayOutPanel::Row::guides, {&action(begin.id), &action(remove.id)});
}

void Commands::addSweep(MainWindow& w) {
  using enum Command::Needs;
  using enum Parameter::Kind;
  ShownSweep& sweep = w.sweep();
  const auto notBuilt = [] {
    return hasSweptVolumes()
               ? ""
               : QT_TRANSLATE_NOOP("fitup::viewer",
                                   "this program was built without OpenVDB, which swept volumes need");
  };
  const QString tip = hasSweptVolumes() ? tr("The space that the parts of the motion pass through")
                                        : tr("Not in this program: it was built without OpenVDB");
  Command& show =
      add("swept-volume", {tr("S&wept volume"), "Shift+V", tip}, motion,
          {onOrOff, {"ACCURACY", number, Parameter::Times::optional}}, [&sweep](const Words& words) {
            if (!isOn(words[0])) return sweep.hide();
            sweep.show(words.size() > 1 ? std::optional(numberOf(words[1])) : std::nullopt);
          });
  show.checked = [&sweep] { return sweep.isShown(); };
  show.refusal = notBuilt;
  show.available = [] { return hasSweptVolumes(); };
  show.ask = [&w, &sweep, &show] {
    if (sweep.isShown()) return sweep.hide();
    if (sweep.swept() != nullptr) return sweep.show();
    askAccuracy(w, show);
  };
  Command& save =
      add("save-swept-volume",
          {tr("Save the swept &volume..."), "Ctrl+Alt+V",
           hasSweptVolumes() ? tr("As a model of one part: STL, OBJ, glTF or Fitup's own format") : tip},
          motion, {{"FILE", file}}, [&sweep](const Words& words) { sweep.save(words[0]); });
  save.available = [] { return hasSweptVolumes(); };
  save.refusal = [&sweep, notBuilt]() -> std::string {
    if (const std::string why = notBuilt(); !why.empty()) return why;
    if (sweep.swept() != nullptr) return "";
    return QT_TRANSLATE_NOOP("fitup::viewer", "there is no swept volume: show it first");
  };
  save.ask = [&w, &sweep] {
    const QString name =
        askWhereToSave(&w.timeLine(), tr("Save the swept volume"), QStringLiteral("swept-volume.stl"),
                       fileFilter(tr("Models"), ShownSweep::extensions(" ", " ")), QStringLiteral("stl"));
    if (!name.isEmpty()) sweep.save(name.toStdString());
  };
  connect(&sweep, &ShownSweep::changed, this, &Commands::refresh);
}

}  // namespace fitup::viewer
