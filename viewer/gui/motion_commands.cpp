#include <viewer/gui/commands.h>

#include <fitup/base/error.h>
#include <viewer/gui/file_dialogs.h>
#include <viewer/gui/status_line.h>
#include <viewer/gui/time_line.h>

namespace fitup::viewer {

void Commands::addMotion(MainWindow& w) {
  using enum Command::Needs;
  using enum Parameter::Kind;
  Document& document = w.document();
  ShownMotion& shown = document.motion();
  TimeLine& timeLine = w.timeLine();
  const auto stepOf = [&shown](const Words& words) {
    const std::size_t step = countOf(words[0]);
    if (step >= shown.track()->steps.size()) throw InputError("there is no step " + words[0]);
    return step;
  };
  Command& play =
      add("play", {tr("&Play or pause"), "Space", tr("Plays the motion from the current step")}, motion,
          {{"N", count}}, [&shown, stepOf](const Words& words) {
            if (stepOf(words) < shown.step())
              throw InputError("the motion is at step " + std::to_string(shown.step()) + " already");
          });
  play.ask = [&timeLine] { timeLine.play(!timeLine.isPlaying()); };
  play.isDone = [&shown](const Words& words) {
    if (shown.step() >= countOf(words[0])) return true;
    shown.goTo(shown.step() + 1);
    return false;
  };
  add("step", {}, motion, {{"N", count}},
      [&shown, stepOf](const Words& words) { shown.goTo(stepOf(words)); });

  add("record", {tr("&Record or stop"), "Ctrl+R", tr("Records how parts are moved from now on")}, model,
      {onOrOff},
      [&w](const Words& words) {
        const bool on = isOn(words[0]);
        if (on == w.drag().isRecording()) return;
        const std::size_t tracks = w.document().session()->state().tracks.size();
        w.timeLine().toggleRecording();
        if (!on && w.document().session()->state().tracks.size() == tracks)
          throw InputError("no motion was recorded because nothing was moved");
      })
      .ask = [&timeLine] { timeLine.toggleRecording(); };
  add("key-pose",
      {tr("Record a &key pose"), "K",
       tr("Adds the current positions of the parts as a step to the recording")},
      model, {}, [&timeLine](auto&) { timeLine.addKeyPose(); })
      .refusal = [&w] {
    return w.drag().isRecording() || !w.document().selection().empty()
               ? ""
               : QT_TRANSLATE_NOOP("fitup::viewer", "nothing is selected");
  };

  add("insert-step",
      {tr("&Insert a step here"), "Ins", tr("Adds the current positions of the parts after this step")},
      motion, {}, [&shown](auto&) { shown.insertPose(); });
  add("delete-step",
      {tr("&Delete this step"), "Ctrl+Del",
       tr("The motion then goes directly from the previous step to the next one")},
      motion, {}, [&shown](auto&) { shown.removeStep(); })
      .refusal = [&shown] {
    return shown.track()->steps.size() < 2
               ? QT_TRANSLATE_NOOP("fitup::viewer", "a motion has at least one step")
               : "";
  };
  add("move-step later",
      {tr("This step &later"), "Ctrl+Shift+Right", tr("Swaps this step with the next one")}, motion, {},
      [&shown](auto&) { shown.moveStep(1); })
      .refusal = [&shown] {
    return shown.step() + 1 >= shown.track()->steps.size()
               ? QT_TRANSLATE_NOOP("fitup::viewer", "the last step cannot be moved later")
               : "";
  };
  add("move-step earlier",
      {tr("This step &earlier"), "Ctrl+Shift+Left", tr("Swaps this step with the previous one")}, motion, {},
      [&shown](auto&) { shown.moveStep(-1); })
      .refusal = [&shown] {
    return shown.step() == 0 ? QT_TRANSLATE_NOOP("fitup::viewer", "the first step cannot be moved earlier")
                             : "";
  };
  add("reverse", {tr("&Reverse the motion"), "Ctrl+Shift+B", tr("The last step becomes the first one")},
      motion, {}, [&shown](auto&) { shown.reverse(); });

  add("find-clashes",
      {tr("&Find clashes"), "Ctrl+F", tr("Checks all steps in the background and charts them")}, motion, {},
      [&shown](auto&) { shown.check(); });
  const auto notChecked = [&shown] {
    return shown.checked()
               ? ""
               : QT_TRANSLATE_NOOP("fitup::viewer", "the steps are not checked: first find the clashes");
  };
  const auto goToClash = [&w, &timeLine](int direction) {
    const std::optional<std::size_t> open = timeLine.goToClash(direction);
    if (!open) return;
    QString text = direction > 0 ? tr("No later step has a clash.") : tr("No earlier step has a clash.");
    if (*open > 0)
      text = direction > 0
                 ? tr("No clash was found at a later step, but pairs are undecided at %1 of them.").arg(*open)
                 : tr("No clash was found at an earlier step, but pairs are undecided at %1 of them.")
                       .arg(*open);
    w.statusLine().tellBriefly(text);
  };
  add("next-clash", {tr("Next step with a clash"), "Ctrl+Right", tr("After this step")}, motion, {},
      [goToClash](auto&) { goToClash(1); })
      .refusal = notChecked;
  add("previous-clash", {tr("Previous step with a clash"), "Ctrl+Left", tr("Before this step")}, motion, {},
      [goToClash](auto&) { goToClash(-1); })
      .refusal = notChecked;
  add("contact-map",
      {tr("Show or hide the &contact map"), "M", tr("Colours faces by the step of their first contact")},
      model, {onOrOff},
      [&shown](const Words& words) {
        if (isOn(words[0]) && !shown.track()) throw InputError("there is no motion");
        shown.showMap(isOn(words[0]));
      })
      .ask = [&shown] { shown.showMap(!shown.isMapWanted()); };

  add("save-track", {tr("&Save the motion..."), "Ctrl+M", tr("As a track")}, motion, {{"FILE", file}},
      [&shown](const Words& words) { shown.save(words[0]); })
      .ask = [&timeLine] { timeLine.saveTrack(); };
  add("save-contact-map", {tr("Save the contact &map..."), "Ctrl+Shift+M", tr("As CSV or JSON")}, model,
      {{"FILE", file}}, [&shown](const Words& words) { shown.saveMap(words[0]); })
      .ask = [&shown, &w] {
    const QString name =
        askWhereToSave(&w.timeLine(), tr("Save the contact map"), QStringLiteral("contacts.csv"),
                       tr("Tables (*.csv *.json)"), QStringLiteral("csv"));
    if (!name.isEmpty()) shown.saveMap(name.toStdString());
  };
  Command& save = add(
      "save-certificate", {tr("Save the certi&ficate..."), "Ctrl+Alt+M", tr("What is certain of the motion, as JSON")},
      motion, {{"FILE", file}}, [&shown](const Words& words) { shown.saveCertificate(words[0]); });
  save.ask = [&shown, &w] {
    const QString name =
        askWhereToSave(&w.timeLine(), tr("Save the certificate"), QStringLiteral("motion.certificate.json"),
                       tr("Certificates (*.json)"), QStringLiteral("json"));
    if (!name.isEmpty()) shown.saveCertificate(name.toStdString());
  };
  save.refusal = [&shown] {
    return shown.checked() && shown.checked()->certified
               ? ""
               : QT_TRANSLATE_NOOP("fitup::viewer",
                                   "nothing is known: first find the clashes, with verdicts");
  };
}

}  // namespace fitup::viewer
