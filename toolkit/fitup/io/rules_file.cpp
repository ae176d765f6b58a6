#include <fitup/io/rules_file.h>

#include <string>

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

}  // namespace fitup
