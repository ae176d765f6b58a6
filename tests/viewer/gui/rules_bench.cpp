#include "viewer/gui/rules_bench.h"

#include <fitup/io/model_file.h>
#include <viewer/gui/interference_table.h>

#include "support/analytic_solids.h"
#include "support/placements.h"

namespace fitup::test {

using namespace viewer;

RulesBench::RulesBench() {
  Model model;
  const auto add = [&](const char* name, const MeshPtr& mesh, const Transform& at) {
    model.assembly.addNode(name, at, {}, model.assembly.addPart(withDeflection(mesh, 0.005)));
  };
  add("base", sixSidedBox(10, 10, 10), {});
  add("deep", sixSidedBox(4, 4, 4), shift(5, 0, 0));
  add("mated", sixSidedBox(1, 1, 1), shift(0, 0, 5.5));
  add("bolt", cylinder(4, 32, 48), shift(0, 50, 0));
  add("nut", tube(8, 6.647 / 2, 8, 48), shift(0, 50, 0));
  model.collisionModels = buildCollisionModels(model.assembly);
  writeModelFile(file, model);
}

void inRulesDialog(WindowSession& gui, const std::function<void(const RulesDialogUser&)>& work, Qt::Key key,
                   Qt::KeyboardModifiers modifiers) {
  whenAsked([&](QDialog& dialog) { work(RulesDialogUser(dialog)); }, [&] { gui.key(key, modifiers); });
  gui.settle();
}

const Rules& rulesOf(const WindowSession& gui) { return gui.document.session()->state().rules; }

std::optional<int> rowOf(WindowSession& gui, const std::string& a, const std::string& b) {
  const InterferenceModel& model = gui.window.table().model();
  const Assembly& assembly = gui.document.session()->assembly();
  for (int row = 0; row < model.count(); ++row)
    if (model.finding(row).instances() == std::set{assembly.at(a), assembly.at(b)}) return row;
  return std::nullopt;
}

bool clash(WindowSession& gui, const std::string& a, const std::string& b) {
  const InterferenceModel& model = gui.window.table().model();
  const Assembly& assembly = gui.document.session()->assembly();
  for (int row = 0; row < model.count(); ++row)
    if (model.finding(row).instances() == std::set{assembly.at(a), assembly.at(b)} &&
        model.finding(row).severity == Severity::clash)
      return true;
  return false;
}

}  // namespace fitup::test
