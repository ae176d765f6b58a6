#include <fitup/io/detail/rules_json.h>

#include <fitup/base/error.h>

namespace fitup::detail {
namespace {

/// A pattern that can match something.
std::string patternOf(const JsonField& field) {
  std::string pattern = shortText(field);
  if (pattern.empty()) field.fail("is empty, so it would match nothing");
  return pattern;
}

Rule ruleOf(const JsonField& entry) {
  Rule rule;
  rule.a = patternOf(entry.at("a"));
  rule.b = patternOf(entry.at("b"));
  if (entry.has("reason")) rule.reason = shortText(entry.at("reason"));
  return rule;
}

Rule ruleWithAction(const JsonField& entry) {
  entry.expectOnly({"a", "b", "action", "distance", "depth", "sameSubassembly", "reason"});
  Rule rule = ruleOf(entry);
  const JsonField field = entry.at("action");
  const auto action = ruleActionFromName(field.text());
  if (!action) field.fail("is not one of ignore, allowContact, allowOverlap, clearance");
  rule.action = *action;
  if (rule.action == RuleAction::clearance) {
    rule.distance = entry.at("distance").number();
    if (!(rule.distance > 0)) entry.at("distance").fail("must be above 0");
  } else if (entry.has("distance")) {
    entry.at("distance").fail("is allowed for the action clearance only");
  }
  if (rule.action == RuleAction::allowOverlap) {
    rule.depth = entry.at("depth").number();
    if (!(rule.depth > 0)) entry.at("depth").fail("must be above 0");
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

std::string shortText(const JsonField& field) {
  std::string text = field.text();
  if (text.size() > longestPattern) field.fail("is longer than " + std::to_string(longestPattern) + " bytes");
  return text;
}

Rules rulesFrom(const JsonField& root) {
  Rules result;
  result.wholePaths = root.expectFormat("fitup-rules", 1, 2) == 1;
  const JsonField list = root.at(result.wholePaths ? "ignore" : "rules");
  for (std::size_t i = 0, n = list.size(); i < n; ++i) {
    const JsonField entry = list.at(i, "rule " + std::to_string(i));
    if (result.wholePaths) entry.expectOnly({"a", "b", "reason"});
    result.rules.push_back(result.wholePaths ? ruleOf(entry) : ruleWithAction(entry));
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

void requireWritable(const Rules& rules, const std::string& file) {
  for (std::size_t i = 0; i < rules.rules.size(); ++i) {
    const Rule& rule = rules.rules[i];
    const std::string place = "rule " + std::to_string(i);
    if (rules.wholePaths && rule.action != RuleAction::ignore)
      throw InputError(file, place, "patterns for whole paths (version 1) can only ignore pairs");
    if (rule.action != RuleAction::clearance && rule.distance != 0)
      throw InputError(file, place + ": distance", "is allowed for the action clearance only");
    if (rule.action != RuleAction::allowOverlap && rule.depth != 0)
      throw InputError(file, place + ": depth", "is allowed for the action allowOverlap only");
    if (rules.wholePaths && rule.sameSubassembly)
      throw InputError(file, place + ": sameSubassembly", "needs version 2");
  }
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
    json["reason"] = rule.reason;
    list.push_back(std::move(json));
  }
  return list;
}

nlohmann::ordered_json rulesFileJson(const Rules& rules) {
  nlohmann::ordered_json json{{"format", "fitup-rules"}, {"version", rules.wholePaths ? 1 : 2}};
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
