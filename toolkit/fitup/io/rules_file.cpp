#include <fitup/io/rules_file.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/io/atomic_file.h>
#include <fitup/io/detail/rules_json.h>

namespace fitup {
Rules readRules(const std::filesystem::path& file) {
  const nlohmann::json json = detail::parseJsonFile(file);
  return detail::rulesFrom(detail::JsonField(json, file.string()));
}

Rule readRule(const std::string& json, const std::string& name) {
  const nlohmann::json parsed = detail::parseJsonText(json, name);
  return detail::ruleFrom(detail::JsonField(parsed, name));
}

void writeRules(const std::filesystem::path& file, const Rules& rules) {
  detail::requireWritable(rules, file.string());
  std::string text;
  try {
    text = detail::toText(detail::rulesFileJson(rules), 1, detail::NotUtf8::refuse) + "\n";
  } catch (const nlohmann::json::exception&) {
    throw InputError(file.string(), "rules", "a pattern or a reason is not UTF-8");
  }
  // The reader decides what it would refuse.
  detail::requireReadable(text, file.string());
  const nlohmann::json written = detail::parseJsonText(text, file.string());
  (void)detail::rulesFrom(detail::JsonField(written, file.string()));
  writeFileAtomically(file, [&](std::ostream& out) { out << text; });
}

std::vector<RuleProblem> problemsOf(const Rule& rule, bool wholePaths) {
  std::vector<RuleProblem> problems;
  const auto add = [&](const char* field, std::string text) {
    if (!text.empty()) problems.push_back({field, std::move(text)});
  };
  add("a", detail::patternProblem(rule.a));
  add("b", detail::patternProblem(rule.b));
  // An empty attribute is one that is not required.
  if (!rule.whereA.part.empty()) add("partA", detail::patternProblem(rule.whereA.part));
  if (!rule.whereB.part.empty()) add("partB", detail::patternProblem(rule.whereB.part));
  if (!rule.whereA.colour.empty()) add("colourA", detail::colourProblem(rule.whereA.colour));
  if (!rule.whereB.colour.empty()) add("colourB", detail::colourProblem(rule.whereB.colour));
  if (!rule.whereA.layer.empty()) add("layerA", detail::patternProblem(rule.whereA.layer));
  if (!rule.whereB.layer.empty()) add("layerB", detail::patternProblem(rule.whereB.layer));
  if (rule.action == RuleAction::clearance) add("distance", detail::lengthProblem(rule.distance));
  if (rule.action == RuleAction::allowOverlap) add("depth", detail::lengthProblem(rule.depth));
  add("reason", detail::reasonProblem(rule.reason));
  std::ranges::move(detail::unwritableParts(rule, wholePaths), std::back_inserter(problems));
  return problems;
}

}  // namespace fitup
