#include <viewer/core/fuzzy_match.h>

#include <algorithm>
#include <vector>

namespace fitup::viewer {
namespace {

constexpr int wordStart = 8, follows = 9, inWord = -4, firstWord = 2;

bool isOfWord(char16_t c) {
  return c > 127 || (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z');
}

bool startsWord(std::u16string_view name, std::size_t at) {
  return isOfWord(name[at]) && (at == 0 || !isOfWord(name[at - 1]));
}

/// Scores one word without blanks: the best of all ways to find its letters in the name.
std::optional<int> scoreOfWord(std::u16string_view word, std::u16string_view name) {
  // For each place in the name, the best score of the letters so far with the last of them there.
  std::vector<std::optional<int>> before(name.size()), now(name.size());
  for (std::size_t i = 0; i < word.size(); ++i) {
    std::optional<int> earlier;  // the best of the places before the last one
    for (std::size_t j = 0; j < name.size(); ++j) {
      now[j].reset();
      if (j > 1 && before[j - 2]) earlier = std::max(earlier.value_or(*before[j - 2]), *before[j - 2]);
      if (name[j] != word[i]) continue;
      const int alone = startsWord(name, j) ? wordStart + (j == 0 ? firstWord : 0) : inWord;
      if (i == 0)
        now[j] = alone;
      else if (earlier)
        now[j] = *earlier + alone;
      if (j > 0 && i > 0 && before[j - 1]) {
        const int joined = *before[j - 1] + std::max(follows, alone);
        now[j] = std::max(now[j].value_or(joined), joined);
      }
    }
    std::swap(before, now);
  }
  std::optional<int> best;
  for (const auto& score : before)
    if (score) best = std::max(best.value_or(*score), *score);
  return best;
}

}  // namespace

std::optional<int> fuzzyScore(std::u16string_view typed, std::u16string_view name) {
  int sum = 0;
  while (!typed.empty()) {
    const std::size_t blank = std::min(typed.find(u' '), typed.size());
    if (blank > 0) {
      const std::optional<int> score = scoreOfWord(typed.substr(0, blank), name);
      if (!score) return std::nullopt;
      sum += *score;
    }
    typed.remove_prefix(std::min(blank + 1, typed.size()));
  }
  return sum;
}

}  // namespace fitup::viewer
