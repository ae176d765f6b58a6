#include <fitup/scene/rules.h>

namespace fitup {

bool matchesPattern(std::string_view pattern, std::string_view text) noexcept {
  if (pattern.empty()) return false;
  std::size_t p = 0, t = 0;
  std::size_t star = std::string_view::npos, starText = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      starText = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;  // let the last star take one character more
      t = ++starText;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

const ExclusionRule* ExclusionRules::find(std::string_view pathA, std::string_view pathB) const noexcept {
  for (const ExclusionRule& rule : rules)
    if ((matchesPattern(rule.a, pathA) && matchesPattern(rule.b, pathB)) ||
        (matchesPattern(rule.a, pathB) && matchesPattern(rule.b, pathA)))
      return &rule;
  return nullptr;
}

}  // namespace fitup
