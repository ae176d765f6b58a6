#include <viewer/gui/commands.h>

#include <QCoreApplication>
#include <QPointer>

#include <viewer/gui/about_dialog.h>
#include <viewer/gui/command_palette.h>
#include <viewer/gui/keys_dialog.h>
#include <viewer/gui/manual.h>
#include <viewer/gui/samples.h>
#include <viewer/gui/tour.h>

namespace fitup::viewer {
namespace {

std::string sampleNames() {
  std::string names;
  for (const Sample& sample : samples()) names += (names.empty() ? "" : "|") + sample.name;
  return names;
}

}  // namespace

void Commands::addTour(MainWindow& w) {
  using enum Command::Needs;
  const auto tour = std::make_shared<QPointer<Tour>>();
  add("tour",
      {tr("Take the &tour"), "Ctrl+Shift+F1", tr("Opens a sample and shows in three minutes what to do")},
      nothing, {},
      [&w, tour](auto&) {
        if (*tour == nullptr) *tour = new Tour(w);
        (*tour)->start();
      })
      .isDone = [tour](auto&) { return (*tour)->isUnderWay(); };
  struct Way {
    const char* id;
    MenuEntry entry;
    void (Tour::*go)();
  };
  for (const Way& way :
       {Way{"tour skip", {tr("&Skip the step"), "F8", tr("Goes to the next step of the tour")}, &Tour::skip},
        Way{"tour back", {tr("Step &back"), "Shift+F8", tr("Goes to the step before")}, &Tour::back},
        Way{"tour end", {tr("&End the tour"), "Ctrl+F8", tr("Closes the tour")}, &Tour::end}})
    add(way.id, way.entry, nothing, {}, [tour, go = way.go](auto&) { (**tour.*go)(); }).refusal =
        [tour]() -> std::string {
      if (*tour != nullptr && (*tour)->isUnderWay()) return {};
      return QT_TRANSLATE_NOOP("fitup::viewer", "no tour is under way");
    };
}

void Commands::addHelp(MainWindow& w) {
  using enum Command::Needs;
  const auto palette = std::make_shared<QPointer<CommandPalette>>();
  const auto shownPalette = [&w, palette]() -> CommandPalette& {
    if (*palette == nullptr) *palette = new CommandPalette(w);
    return **palette;
  };
  add("palette",
      {tr("&Find a command..."), "Ctrl+Shift+P",
       tr("Finds commands, recent files and views by some of their letters")},
      nothing, {{"TEXT", Parameter::Kind::text, Parameter::Times::optional}},
      [shownPalette](const Words& words) {
        shownPalette().open(words.empty() ? QString() : QString::fromStdString(words[0]));
      })
      .ask = [shownPalette] {
    CommandPalette& shown = shownPalette();
    shown.isHidden() ? shown.open() : shown.close();
  };
  add("manual", {tr("&Manual"), "F1", tr("Opens the manual in your browser")}, nothing, {}, {}).ask = [&w] {
    openManual(&w, QCoreApplication::applicationDirPath().toStdString());
  };
  add("keys", {tr("&Keys and mouse"), "Shift+F1", tr("Lists all keys, and what the mouse does in the view")},
      nothing, {}, [&w](auto&) { showDialog<KeysDialog>(w); });
  add("sample", {}, nothing, {{sampleNames(), Parameter::Kind::choice}}, [&w](const Words& words) {
    openSample(w, words[0]);
  }).isDone = [&w](const Words& words) {
    const Session* session = w.document().session();
    return session != nullptr &&
           session->modelFiles().front() == std::filesystem::absolute(sampleFile(words[0]));
  };
  addTour(w);
  add("about", {tr("&About Fitup"), "Ctrl+F1", tr("Versions and licences")}, nothing, {}, {}).ask = [&w] {
    showAbout(&w);
  };
}

}  // namespace fitup::viewer
