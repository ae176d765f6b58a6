// way: takes a box out past a guide point, or prints what this installation is built without.
#include <iostream>

#include <fitup/planning/removal.h>
#include <fitup/planning/tree_search.h>

#include "box.h"

int main() {
  using namespace fitup;
  Assembly assembly("two");
  const PartId part = assembly.addPart(box());
  const NodeId moved = assembly.addNode("moved", {}, {}, part);
  assembly.addNode("rest", Transform::translation({6, 0, 0}), {}, part);
  if (!hasTreeSearch()) {
    std::cout << "no OMPL\n";
    return 0;
  }
  RemovalOptions options;
  options.search = treeSearch();
  options.guides = {{{}, {6, 12, 0}}};
  const RemovalReport report = findRemoval(Scene(std::move(assembly)), {}, std::vector{moved}, options);
  std::cout << "way out: " << name(report.answer) << '\n';
  return report.answer == RemovalAnswer::certain ? 0 : 1;
}
