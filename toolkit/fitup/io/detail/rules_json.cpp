#include <fitup/io/detail/rules_json.h>

#include <algorithm>
#include <cmath>

#include <fitup/base/error.h>
#include <fitup/base/text.h>

namespace fitup::detail {

std::string reasonProblem(const std::string& reason) {
  if (reason.size() > longestPattern) return "is longer than " + std::to_string(longestPattern) + " bytes";
  return isUtf8(reason) ? std::string() : "is not UTF-8";
}

std::string patternProblem(const std::string& pattern) {
  return pattern.empty() ? "is empty, so it would match nothing" : reasonProblem(pattern);
}

std::string colourProblem(const std::string& colour) {
  const auto isHex = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  const bool isColour =
      colour.size() == 7 && colour.front() == '#' && std::all_of(colour.begin() + 1, colour.end(), isHex);
  return isColour ? std::string() : "must be a colour such as \"#ff8000\"";
}

std::string lengthProblem(double length) {
  if (!std::isfinite(length)) return "must be a finite number";
  return length > 0 ? std::string() : "must be above 0";
}

namespace {

/// Fails if there is a problem.
void refuseIf(const JsonField& field, const std::string& problem) {
  if (!problem.empty()) field.fail(problem);
}

/// A pattern that can match something.
std::string patternOf(const JsonField& field) {
  std::string pattern = field.text();
  refuseIf(field, patternProblem(pattern));
  return pattern;
}

/// Members of a rule that older versions lack, with the first version that has them.
constexpr std::pair<const char*, int> attributeNames[] = {{"partA", 3},   {"partB", 3},    {"colourA", 3},
                                                          {"colourB", 3}, {"fastener", 3}, {"layerA", 4},
                                                          {"layerB", 4}};

/// The pattern of a side. A side with attributes, or that of a fastener, needs none.
std::string sidePattern(const JsonField& entry, const char* side, bool isOptional) {
  return isOptional && !entry.has(side) ? "*" : patternOf(entry.at(side));
}

std::string colourOf(const JsonField& field) {
  std::string colour = field.text();
  refuseIf(field, colourProblem(colour));
  for (char& c : colour)
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  return colour;
}

Rule ruleOf(const JsonField& entry) {
  Rule rule = ruleAttributes(entry);
  rule.a = sidePattern(entry, "a", rule.fastener || !rule.whereA.empty());
  rule.b = sidePattern(entry, "b", rule.fastener || !rule.whereB.empty());
  if (entry.has("reason")) rule.reason = shortText(entry.at("reason"));
  return rule;
}

Rule ruleWithAction(const JsonField& entry, int version) {
  entry.expectOnly({"a", "b", "action", "distance", "depth", "sameSubassembly", "reason", "partA", "partB",
                    "colourA", "colourB", "layerA", "layerB", "fastener"});
  for (const auto& [name, first] : attributeNames)
    if (version < first && entry.has(name)) entry.at(name).fail("needs version " + std::to_string(first));
  Rule rule = ruleOf(entry);
  const JsonField field = entry.at("action");
  const auto action = ruleActionFromName(field.text());
  if (!action) field.fail("is not one of ignore, allowContact, allowOverlap, clearance");
  rule.action = *action;
  if (rule.action == RuleAction::clearance) {
    rule.distance = entry.at("distance").number();
    refuseIf(entry.at("distance"), lengthProblem(rule.distance));
  } else if (entry.has("distance")) {
    entry.at("distance").fail("is allowed for the action clearance only");
  }
  if (rule.action == RuleAction::allowOverlap) {
    rule.depth = entry.at("depth").number();
    refuseIf(entry.at("depth"), lengthProblem(rule.depth));
  } else if (entry.has("depth")) {
    entry.at("depth").fail("is allowed for the action allowOverlap only");
  }
  if (entry.has("sameSubassembly")) rule.sameSubassembly = entry.at("sameSubassembly").boolean();
  return rule;
}

/// One pattern or a list of patterns.
std::vector<std::string> patternsOf(const JsonField& field) {
  if (field.isText()) return {patternOf(field)};
  std::vector<std::string> result;
  for (std::size_t i = 0, n = field.size(); i < n; ++i)
    result.push_back(patternOf(field.at(i, "pattern " + std::to_string(i))));
  if (result.empty()) field.fail("is empty, so nothing would be checked");
  return result;
}

}  // namespace

Rule ruleAttributes(const JsonField& entry) {
  Rule rule;
  if (entry.has("partA")) rule.whereA.part = patternOf(entry.at("partA"));
  if (entry.has("partB")) rule.whereB.part = patternOf(entry.at("partB"));
  if (entry.has("colourA")) rule.whereA.colour = colourOf(entry.at("colourA"));
  if (entry.has("colourB")) rule.whereB.colour = colourOf(entry.at("colourB"));
  if (entry.has("layerA")) rule.whereA.layer = patternOf(entry.at("layerA"));
  if (entry.has("layerB")) rule.whereB.layer = patternOf(entry.at("layerB"));
  if (entry.has("fastener")) {
    if (entry.at("fastener").text() != name(Fastener::thread))
      entry.at("fastener").fail("is not a fastener that is recognised; there is: thread");
    rule.fastener = Fastener::thread;
  }
  return rule;
}

Rule ruleFrom(const JsonField& entry) { return ruleWithAction(entry, latestRulesVersion); }

std::string shortText(const JsonField& field) {
  std::string text = field.text();
  refuseIf(field, reasonProblem(text));
  return text;
}

Rules rulesFrom(const JsonField& root) {
  Rules result;
  const int version = root.expectFormat("fitup-rules", 1, latestRulesVersion);
  result.wholePaths = version == 1;
  const JsonField list = root.at(result.wholePaths ? "ignore" : "rules");
  for (std::size_t i = 0, n = list.size(); i < n; ++i) {
    const JsonField entry = list.at(i, "rule " + std::to_string(i));
    if (result.wholePaths) entry.expectOnly({"a", "b", "reason"});
    result.rules.push_back(result.wholePaths ? ruleOf(entry) : ruleWithAction(entry, version));
  }
  if (result.wholePaths) {
    root.expectOnly({"format", "version", "ignore"});
    return result;
  }
  root.expectOnly({"format", "version", "rules", "check"});
  if (root.has("check")) {
    const JsonField check = root.at("check");
    check.expectOnly({"a", "b"});
    result.check = CheckSets{patternsOf(check.at("a")), patternsOf(check.at("b"))};
  }
  return result;
}

std::vector<RuleProblem> unwritableParts(const Rule& rule, bool wholePaths) {
  std::vector<RuleProblem> problems;
  if (wholePaths && rule.action != RuleAction::ignore)
    problems.push_back({"action", "patterns for whole paths (version 1) can only ignore pairs"});
  if (rule.action != RuleAction::clearance && rule.distance != 0)
    problems.push_back({"distance", "is allowed for the action clearance only"});
  if (rule.action != RuleAction::allowOverlap && rule.depth != 0)
    problems.push_back({"depth", "is allowed for the action allowOverlap only"});
  if (wholePaths && rule.sameSubassembly) problems.push_back({"sameSubassembly", "needs version 2"});
  if (wholePaths && rule.needsModel())
    problems.push_back({"fastener", "attributes need version 3, whose patterns also match subassemblies"});
  return problems;
}

void requireWritable(const Rules& rules, const std::string& file) {
  for (std::size_t i = 0; i < rules.rules.size(); ++i)
    for (const auto& [field, text] : unwritableParts(rules.rules[i], rules.wholePaths))
      throw InputError(file, "rule " + std::to_string(i) + ": " + field, text);
  if (rules.wholePaths && rules.check)
    throw InputError(file, "check", "patterns for whole paths (version 1) can only ignore pairs");
}

nlohmann::ordered_json ruleListJson(const Rules& rules) {
  auto list = nlohmann::ordered_json::array();
  for (const Rule& rule : rules.rules) {
    nlohmann::ordered_json json{{"a", rule.a}, {"b", rule.b}, {"action", name(rule.action)}};
    if (rule.action == RuleAction::clearance) json["distance"] = rule.distance;
    if (rule.action == RuleAction::allowOverlap) json["depth"] = rule.depth;
    if (rule.sameSubassembly) json["sameSubassembly"] = true;
    if (!rule.whereA.part.empty()) json["partA"] = rule.whereA.part;
    if (!rule.whereB.part.empty()) json["partB"] = rule.whereB.part;
    if (!rule.whereA.colour.empty()) json["colourA"] = rule.whereA.colour;
    if (!rule.whereB.colour.empty()) json["colourB"] = rule.whereB.colour;
    if (!rule.whereA.layer.empty()) json["layerA"] = rule.whereA.layer;
    if (!rule.whereB.layer.empty()) json["layerB"] = rule.whereB.layer;
    if (rule.fastener) json["fastener"] = name(*rule.fastener);
    json["reason"] = rule.reason;
    list.push_back(std::move(json));
  }
  return list;
}

namespace {

/// The oldest version that can hold the rules.
int versionOf(const Rules& rules) {
  if (rules.wholePaths) return 1;
  const auto hasLayer = [](const Rule& rule) { return !(rule.whereA.layer + rule.whereB.layer).empty(); };
  if (std::ranges::any_of(rules.rules, hasLayer)) return 4;
  return std::ranges::any_of(rules.rules, &Rule::needsModel) ? 3 : 2;
}

}  // namespace

nlohmann::ordered_json rulesFileJson(const Rules& rules) {
  nlohmann::ordered_json json{{"format", "fitup-rules"}, {"version", versionOf(rules)}};
  if (rules.wholePaths) {
    json["ignore"] = ruleListJson(rules);
    for (auto& rule : json["ignore"]) rule.erase("action");
  } else {
    json["rules"] = ruleListJson(rules);
  }
  if (rules.check) json["check"] = {{"a", rules.check->a}, {"b", rules.check->b}};
  return json;
}

}  // namespace fitup::detail
