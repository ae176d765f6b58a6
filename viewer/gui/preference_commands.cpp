#include <viewer/gui/commands.h>

#include <fitup/base/error.h>
#include <fitup/io/model_cache.h>
#include <viewer/gui/language.h>
#include <viewer/gui/preferences_dialog.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/status_line.h>
#include <viewer/gui/theme.h>

namespace fitup::viewer {

void Commands::addPreferences(MainWindow& w) {
  using enum Command::Needs;
  const std::pair<Theme, MenuEntry> themes[] = {
      {Theme::system,
       {tr("As the &system"), "Ctrl+Alt+4", tr("The colours that the desktop gives to programs")}},
      {Theme::light, {tr("&Light"), "Ctrl+Alt+5", tr("Light windows and a light background")}},
      {Theme::dark, {tr("&Dark"), "Ctrl+Alt+6", tr("Dark windows and a dark background")}}};
  for (const auto& [theme, entry] : themes)
    addChoice(
        "theme " + std::string(name(theme)), entry, [theme = theme](auto&) { setTheme(theme); },
        [theme = theme] { return viewer::theme() == theme; });
  const std::pair<UpdateRate, MenuEntry> rates[] = {
      {UpdateRate::most, {tr("As many as possible"), {}, {}}},
      {UpdateRate::thirty, {tr("At most 30 a second"), {}, {}}},
      {UpdateRate::fifteen, {tr("At most 15 a second"), {}, {}}}};
  for (const auto& [rate, entry] : rates)
    addChoice(
        "update-rate " + std::string(name(rate)), entry,
        [&w, rate = rate](auto&) { w.view().setUpdateRate(rate); },
        [&w, rate = rate] { return w.view().updateRate() == rate; });
  const std::pair<Language, MenuEntry> languages[] = {
      {Language::system,
       {tr("As the system"), {}, tr("German where the system's is German, otherwise English")}},
      // A language has its own name in all languages.
      {Language::english, {QStringLiteral("English"), {}, {}}},
      {Language::german, {QStringLiteral("Deutsch"), {}, {}}}};
  for (const auto& [language, entry] : languages)
    addChoice(
        "language " + std::string(name(language)), entry,
        [&w, language = language](auto&) {
          if (language == chosenLanguage()) return;
          chooseLanguage(language);
          w.statusLine().tellBriefly(tr("Texts appear in this language from the next start on"));
        },
        [language = language] { return chosenLanguage() == language; });
  const std::pair<LengthUnitChoice, QString> units[] = {
      {LengthUnitChoice::model, tr("As the model")},
      {LengthUnitChoice::millimetre, tr("Millimetres (mm)")},
      {LengthUnitChoice::centimetre, tr("Centimetres (cm)")},
      {LengthUnitChoice::metre, tr("Metres (m)")},
      {LengthUnitChoice::inch, tr("Inches (in)")},
      {LengthUnitChoice::foot, tr("Feet (ft)")}};
  for (const auto& [unit, text] : units)
    addChoice(
        "length-unit " + std::string(name(unit)),
        {text, {}, tr("The unit in which the window shows and takes lengths; files keep the model's")},
        [&w, unit = unit](auto&) { w.document().setLengthUnitChoice(unit); },
        [&w, unit = unit] { return w.document().lengthUnitChoice() == unit; });
  add("background", {}, nothing, {{"RRGGBB|theme"}}, [&w](const Words& words) {
    w.view().setBackground(words[0] == "theme" ? std::nullopt
                                               : std::optional(QColor::fromRgb(colourOf(words[0]))));
  });
  add("default-tolerance", {}, nothing, {{"MM|none"}}, [&w](const Words& words) {
    if (words[0] == "none") return w.document().setDefaultTolerance({});
    const double tolerance = numberOf(words[0]);
    if (!(tolerance > 0)) throw InputError("the tolerance must be above 0");
    w.document().setDefaultTolerance(tolerance);
  });
  add("clear-cache", {}, nothing, {},
      [&w](auto&) { w.statusLine().tellBriefly(tr("%1 freed").arg(bytesText(ModelCache().clear()))); });
  add("preferences",
      {tr("Pre&ferences..."), "Ctrl+,", tr("Mouse, colours, tolerance and the cache, for every model")},
      nothing, {}, [&w](auto&) { showDialog<PreferencesDialog>(w); });
}

}  // namespace fitup::viewer
