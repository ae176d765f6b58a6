#include <viewer/gui/commands.h>

#include <cstdio>

#include <viewer/gui/measure_panel.h>

namespace fitup::viewer {

void Commands::addMeasure(MainWindow& w) {
  using enum Command::Needs;
  MeasureTool& tool = w.measure();
  Command& measuring = add("measuring",
                           {tr("&Measure"), "R",
                            tr("Two clicks measure between faces, edges, corners and centres of circles "
                               "(Ctrl: parts, Shift: points)")},
                           model, {onOrOff}, [&tool](const Words& words) { tool.setActive(isOn(words[0])); });
  measuring.checked = [&tool] { return tool.isActive(); };
  add("measure-selected",
      {tr("Measure the &selected"), "Shift+R",
       tr("Between two selected parts, or from the selected part or its chosen face")},
      model, {}, [&tool](auto&) { tool.takeSelected(); });
  add("remove-measurements",
      {tr("&Remove measurements"), "Ctrl+Shift+R",
       tr("Removes those chosen in the list, or all if none is chosen")},
      model, {}, [&w](auto&) { w.measurements().removeChosen(); });
  add("measure", {}, model, {{"PATH"}, {"N", Parameter::Kind::count, Parameter::Times::optional}},
      [&w](const Words& words) { w.measure().take(targetOf(w.document().session()->assembly(), words)); });
  add("measurements", {}, model, {},
      [&w](auto&) { std::fputs(w.measurements().text().toUtf8().constData(), stdout); });
}

}  // namespace fitup::viewer
