#include <fitup/io/rules_file.h>

#include <fitup/io/detail/json_fields.h>

namespace fitup {

ExclusionRules readRules(const std::filesystem::path& file) {
  const nlohmann::json json = detail::parseJsonFile(file);
  const detail::JsonField root(json, file.string());
  root.expectFormat("fitup-rules", 1);
  const detail::JsonField ignore = root.at("ignore");
  ExclusionRules result;
  for (std::size_t i = 0, n = ignore.size(); i < n; ++i) {
    const detail::JsonField entry = ignore.at(i, "rule " + std::to_string(i));
    ExclusionRule rule;
    rule.a = entry.at("a").text();
    rule.b = entry.at("b").text();
    if (entry.has("reason")) rule.reason = entry.at("reason").text();
    if (rule.a.empty()) entry.at("a").fail("is empty, so the rule would match nothing");
    if (rule.b.empty()) entry.at("b").fail("is empty, so the rule would match nothing");
    result.rules.push_back(std::move(rule));
  }
  return result;
}

}  // namespace fitup
