#include <fitup/io/warning_summary.h>

#include <algorithm>
#include <map>
#include <utility>

namespace fitup {
namespace {

/// The message with one digit in place of each run of digits.
std::string kindOf(const std::string& message) {
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  std::string kind;
  for (const char c : message)
    if (!isDigit(c))
      kind += c;
    else if (kind.empty() || kind.back() != '0')
      kind += '0';
  return kind;
}

}  // namespace

std::vector<WarningGroup> summarise(std::span<const ImportWarning> warnings) {
  std::vector<WarningGroup> groups;
  std::map<std::pair<bool, std::string>, std::size_t> groupOf;
  for (const ImportWarning& warning : warnings) {
    const auto [known, isNew] =
        groupOf.try_emplace({warning.incomplete, kindOf(warning.message)}, groups.size());
    if (isNew)
      groups.push_back({warning});
    else
      ++groups[known->second].count;
  }
  std::stable_partition(groups.begin(), groups.end(),
                        [](const WarningGroup& group) { return group.first.incomplete; });
  return groups;
}

std::string text(const WarningGroup& group) {
  const auto& [element, message, incomplete] = group.first;
  return (group.count > 1 ? std::to_string(group.count) + " times, the first: " : std::string()) + element +
         (element.empty() ? "" : ": ") + message;
}

}  // namespace fitup
