#include <fitup/io/rules_file.h>

#include <fitup/io/atomic_file.h>
#include <fitup/io/detail/rules_json.h>

namespace fitup {
Rules readRules(const std::filesystem::path& file) {
  const nlohmann::json json = detail::parseJsonFile(file);
  return detail::rulesFrom(detail::JsonField(json, file.string()));
}

void writeRules(const std::filesystem::path& file, const Rules& rules) {
  writeFileAtomically(file, [&](std::ostream& out) { out << detail::rulesFileJson(rules).dump(1) << '\n'; });
}

}  // namespace fitup
