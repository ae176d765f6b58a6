#include <viewer/core/check_scope.h>

#include <catch2/catch.hpp>

#include <fitup/base/error.h>
#include <models/process_plant.h>

namespace check_scope_tests {

using namespace fitup;
using namespace fitup::viewer;

TEST_CASE("a check is narrowed to pairs with, or among, some instances", "[viewer][scope]") {
  const Assembly plant = models::makeProcessPlant();
  const NodeId spool = plant.at(models::spoolPath);
  const std::vector<NodeId> all = plant.instances();
  const NodeId other = all[0] == spool ? all[1] : all[0];
  const auto selects = [&](const Rules& rules, NodeId a, NodeId b) {
    return rules.selects(plant.path(a), plant.path(b));
  };
  Rules rules;
  CHECK(instancesInScope(plant, rules).size() == all.size());
  rules.check = checkSetsOf(plant, {spool}, CheckScope::withSelected);
  for (const NodeId a : all)
    for (const NodeId b : all)
      if (a != b) CHECK(selects(rules, a, b) == (a == spool || b == spool));
  CHECK(instancesInScope(plant, rules) == std::set<NodeId>{spool});
  rules.check = checkSetsOf(plant, {spool, other}, CheckScope::amongSelected);
  for (const NodeId a : all)
    for (const NodeId b : all)
      if (a != b) CHECK(selects(rules, a, b) == ((a == spool && b == other) || (a == other && b == spool)));
  CHECK_THROWS_AS(checkSetsOf(plant, {spool}, CheckScope::amongSelected), InputError);
}

}  // namespace check_scope_tests
