// Tests what the viewer computes about rules: how many pairs they match, and which rule a finding suggests.
#include <viewer/core/rule_matches.h>
#include <viewer/core/rule_suggestion.h>

#include <catch2/catch.hpp>

#include <fitup/base/error.h>
#include <fitup/io/rules_file.h>
#include <fitup/scene/interference.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "viewer/core/row_of_cubes.h"

namespace viewer_rules_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// An M8 bolt in a nut that is modelled at its core, in the same unit as the thread.
void addThread(Model& model, const std::string& name, const Transform& at) {
  const NodeId group = model.assembly.addNode(name, at);
  model.assembly.addNode("bolt", {}, group,
                         model.assembly.addPart(withDeflection(cylinder(4, 32, 48), 0.01)));
  model.assembly.addNode("nut", {}, group,
                         model.assembly.addPart(withDeflection(tube(8, 6.647 / 2, 8, 48), 0.01)));
}

Rules with(std::vector<Rule> list) {
  Rules rules;
  rules.rules = std::move(list);
  return rules;
}

/// Checks all pairs as the table does, with the depths of clashes.
InterferenceReport checked(const Session& session) {
  InterferenceOptions options;
  options.rules = session.rules();
  options.verdict.emplace();
  return checkAllPairs(session.scene(), session.poses(), options);
}

/// The first finding of two instances; fails the test if there is none.
Finding findingOf(const Session& session, const InterferenceReport& report, const std::string& a,
                  const std::string& b) {
  const Assembly& assembly = session.assembly();
  for (const Finding& finding : listFindings(assembly, report, session.rules()))
    if (finding.instances() == std::set{assembly.at(a), assembly.at(b)}) return finding;
  FAIL("nothing is found of " << a << " and " << b);
  return {};
}

}  // namespace

TEST_CASE("pairs are counted for each rule, and those that an earlier rule takes", "[viewer][rules]") {
  const Session session(rowOfCubes(4), {"row.fitup"});  // 6 pairs
  RuleMatchCounter counter(session);
  const auto count = [&](const Rules& rules) { return counter.count(rules).value(); };
  using Counts = std::vector<RuleMatchCount>;
  CHECK(count({}).empty());
  const Rule first{"*cube-0", "*"}, all{"*", "*"}, none{"nowhere", "*"}, row{"row", "row"};
  CHECK(count(with({first, all, none, row})) == Counts{{3, 3}, {6, 3}, {0, 0}, {6, 0}});
  // The order decides which of them applies; what is remembered does not.
  CHECK(count(with({all, first})) == Counts{{6, 6}, {3, 0}});
  // Subassemblies count only if patterns are not those of whole paths.
  Rules whole = with({row, first});
  whole.wholePaths = true;
  CHECK(count(whole) == Counts{{0, 0}, {3, 3}});
  CHECK(count(with({row})) == Counts{{6, 6}});
  Rule inRow{"row", "row"};
  inRow.sameSubassembly = true;
  CHECK(count(with({inRow})) == Counts{{6, 6}});
  // The same as the rules themselves.
  const Rules some = with({first, {"*cube-1", "*cube-?"}, all});
  std::vector<std::size_t> applying(some.rules.size());
  const auto& paths = session.scene().paths();
  for (std::size_t i = 0; i < paths.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (const Rule* rule = some.find(paths[i], paths[j]))
        ++applying[static_cast<std::size_t>(rule - some.rules.data())];
  const Counts counted = count(some);
  for (std::size_t i = 0; i < applying.size(); ++i) CHECK(counted[i].applying == applying[i]);
}

TEST_CASE("attributes and threads are counted as a check applies them", "[viewer][rules]") {
  Model model = rowOfCubes(2);
  addThread(model, "first", shift(0, 50, 0));
  addThread(model, "second", shift(0, 100, 0));
  const Session session(std::move(model), {"threads.fitup"});  // 15 pairs
  RuleMatchCounter counter(session);
  const auto matching = [&](const Rule& rule) { return counter.count(with({rule})).value().at(0).matching; };
  Rule threads{"*", "*"};
  threads.fastener = Fastener::thread;
  CHECK(matching(threads) == 2);
  Rule ofFirst = threads;
  ofFirst.a = "first";
  CHECK(matching(ofFirst) == 1);
  Rule bolts{"*", "*"};
  bolts.whereA.part = session.assembly().meshOf(session.assembly().at("first/bolt")).name();
  const std::string nut = session.assembly().meshOf(session.assembly().at("first/nut")).name();
  REQUIRE(nut != bolts.whereA.part);
  // Both bolts with each of the 6 instances: 2 * 5 pairs, one of them counted from both sides.
  CHECK(matching(bolts) == 9);
  bolts.whereB.part = nut;
  CHECK(matching(bolts) == 4);
  bolts.fastener = Fastener::thread;
  CHECK(matching(bolts) == 2);
}

TEST_CASE("pairs of large models are not counted", "[viewer][rules]") {
  const Session session(rowOfCubes(100), {"row.fitup"});  // 4950 pairs
  RuleMatchCounter counter(session);
  const std::size_t most = RuleMatchCounter::mostMatchings / 4950;
  CHECK(counter.count(with(std::vector<Rule>(most, {"*", "*"}))));
  CHECK_FALSE(counter.count(with(std::vector<Rule>(most + 1, {"*", "*"}))));
  // No instance, and one.
  for (const int instances : {0, 1}) {
    const Session few(rowOfCubes(instances), {"row.fitup"});
    CHECK(RuleMatchCounter(few).count(with({{"*", "*"}})).value().at(0).matching == 0);
  }
}

TEST_CASE("a finding suggests the rule that it needs", "[viewer][rules]") {
  Model model;
  const auto add = [&](const char* name, double side, const Transform& at) {
    model.assembly.addNode(name, at, {},
                           model.assembly.addPart(withDeflection(sixSidedBox(side, side, side), 0.001)));
  };
  add("base", 10, {});
  add("deep", 4, shift(5, 0, 0));
  add("mated", 1, shift(0, 0, 5.5));
  add("near", 1, shift(-8, 0, 0));  // 2.5 away
  addThread(model, "thread", shift(0, 50, 0));
  Session session(std::move(model), {"bench.fitup"});
  session.edit("Rules", [](SessionState& state) {
    state.rules.rules = {{"nowhere", "*"}, {"near", "base", "", RuleAction::clearance, 4}};
  });
  const InterferenceReport report = checked(session);
  const auto suggested = [&](const InterferenceReport& of, const char* a, const char* b) {
    return suggestRule(session, of, findingOf(session, of, a, b));
  };

  const RuleSuggestion contact = suggested(report, "base", "mated");
  CHECK(contact.rule == Rule{"base", "mated", "", RuleAction::allowContact});
  CHECK(contact.position == 2);

  const RuleSuggestion clash = suggested(report, "base", "deep");
  CHECK(clash.rule.action == RuleAction::allowOverlap);
  CHECK((clash.rule.a == "base" && clash.rule.b == "deep"));
  const Assessment found = findingOf(session, report, "base", "deep").found;
  CHECK(clash.rule.depth >= found.depth.value() + found.depthErrorBound);
  CHECK(clash.rule.depth <= 2.2);
  CHECK(clash.rule.distance == 0);

  // Before the rule that applies now, which would otherwise hide it.
  const RuleSuggestion near = suggested(report, "base", "near");
  CHECK(near.rule.action == RuleAction::clearance);
  CHECK(near.rule.distance == Approx(2.5).margin(0.01));
  CHECK(near.rule.distance <= 2.5);
  CHECK(near.position == 1);

  const RuleSuggestion thread = suggested(report, "thread/bolt", "thread/nut");
  CHECK(thread.rule.fastener == Fastener::thread);
  CHECK(thread.rule.action == RuleAction::allowOverlap);
  CHECK(thread.rule.depth == 0.7);  // half of 8 - 6.647, rounded up with room for the chord error

  // With them, nothing needs action.
  CHECK(report.needsAction());
  session.edit("Rules", [&](SessionState& state) {
    for (const RuleSuggestion& each : {thread, near, clash, contact})
      state.rules.rules.insert(state.rules.rules.begin(), each.rule);
  });
  const InterferenceReport after = checked(session);
  CHECK_FALSE(after.needsAction());
  CHECK(after.count(Verdict::clash) == 0);

  // A rule that does not go deep enough is preceded by the one that does.
  session.edit("Rules", [&](SessionState& state) {
    Rule shallow = thread.rule;
    shallow.depth = 0.1;
    state.rules.rules = {{"nowhere", "*"}, shallow};
  });
  const InterferenceReport again = checked(session);
  const RuleSuggestion deeper = suggested(again, "thread/bolt", "thread/nut");
  CHECK(deeper.rule == thread.rule);
  CHECK(deeper.position == 1);
}

TEST_CASE("no rule is suggested for what a rule cannot allow", "[viewer][rules]") {
  Model model;
  const PartId cube = model.assembly.addPart(withDeflection(sixSidedBox(1, 1, 1), 0.001));
  for (const char* name : {"cube", "copy", "another"}) model.assembly.addNode(name, {}, {}, cube);
  const NodeId sunk = model.assembly.addNode("sunk", shift(0.7, 0, 0), {}, cube);
  Session session(std::move(model), {"copies.fitup"});
  const InterferenceReport report = checked(session);
  std::size_t sets = 0;
  for (const Finding& finding : listFindings(session.assembly(), report)) {
    if (finding.copies.empty()) continue;
    ++sets;
    CHECK(finding.copies.size() == 3);
    CHECK_THROWS_WITH(suggestRule(session, report, finding), Catch::Contains("3 copies"));
  }
  CHECK(sets == 1);
  // While its depth is being computed.
  InterferenceOptions options;
  options.verdict.emplace();
  options.verdict->regions = false;
  const InterferenceReport open = checkAllPairs(session.scene(), {}, options);
  std::size_t clashes = 0;
  for (const Finding& finding : listFindings(session.assembly(), open)) {
    if (!finding.instances().contains(sunk)) continue;
    ++clashes;
    CHECK_THROWS_WITH(suggestRule(session, open, finding), Catch::Contains("still being computed"));
  }
  CHECK(clashes > 0);
  CHECK_THROWS_AS(suggestRule(session, {}, listFindings(session.assembly(), open).front()), InputError);
}

TEST_CASE("no rule is suggested for walls that pierce each other", "[viewer][rules]") {
  Model model;
  const auto plate = withDeflection(sixSidedBox(20, 20, 0.3), 0.1);
  model.assembly.addNode("lying", {}, {}, model.assembly.addPart(plate));
  model.assembly.addNode("standing",
                         Transform::rigid(axisAngle({0, 1, 0}, 1.5707963267948966), {0.2, 0.1, 0.3}), {},
                         model.assembly.addPart(plate));
  const Session session(std::move(model), {"plates.fitup"});
  const InterferenceReport report = checked(session);
  const Finding finding = findingOf(session, report, "lying", "standing");
  CHECK_THROWS_WITH(suggestRule(session, report, finding), Catch::Contains("middle of a wall"));
}

TEST_CASE("the rule for a part whose name is not UTF-8 matches it", "[viewer][rules]") {
  Model model;
  const PartId cube = model.assembly.addPart(withDeflection(sixSidedBox(1, 1, 1), 0.001));
  model.assembly.addNode("a\xff*", {}, {}, cube);
  model.assembly.addNode("b", shift(1, 0, 0), {}, cube);
  const Session session(std::move(model), {"names.fitup"});
  const InterferenceReport report = checked(session);
  const Finding finding = listFindings(session.assembly(), report).at(0);
  const Rule rule = suggestRule(session, report, finding).rule;
  CHECK(problemsOf(rule).empty());
  CHECK(with({rule}).find(session.assembly().path(finding.a), session.assembly().path(finding.b)) != nullptr);
}

}  // namespace viewer_rules_tests
