#include <fitup/scene/rules.h>

#include <algorithm>

#include <fitup/base/error.h>

namespace fitup {
namespace {

/// Number of bytes, at least one, of the UTF-8 character that begins at `at`. Bytes that do not belong to a
/// valid character count as one character each. Precondition: `at` is not the end.
std::size_t characterAt(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(at);
  const std::size_t expected = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  std::size_t size = 1;
  while (size < expected && at + size < text.size() && (byte(at + size) & 0xc0) == 0x80) ++size;
  return size;
}

/// Matches the text or, with `orAbove`, also a prefix of it that ends before a '/'. The latter is the same as
/// a match of the pattern with or without "/*" appended.
bool matches(std::string_view pattern, std::string_view text, bool orAbove) noexcept {
  if (pattern.empty()) return false;
  std::size_t p = 0, t = 0;
  std::size_t star = std::string_view::npos, starText = 0;
  while (t < text.size()) {
    if (orAbove && p == pattern.size() && text[t] == '/') return true;
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      starText = t;
    } else if (p < pattern.size() && pattern[p] == '?') {
      ++p;
      t += characterAt(text, t);
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;  // let the last star match one more character
      starText += characterAt(text, starText);
      t = starText;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

std::string_view name(RuleAction action) noexcept {
  switch (action) {
    case RuleAction::ignore:
      return "ignore";
    case RuleAction::allowContact:
      return "allowContact";
    case RuleAction::allowOverlap:
      return "allowOverlap";
    case RuleAction::clearance:
      return "clearance";
  }
  return {};
}

std::string_view name(Fastener fastener) noexcept {
  switch (fastener) {
    case Fastener::thread:
      return "thread";
  }
  return {};
}

std::optional<RuleAction> ruleActionFromName(std::string_view text) noexcept {
  for (RuleAction action :
       {RuleAction::ignore, RuleAction::allowContact, RuleAction::allowOverlap, RuleAction::clearance})
    if (name(action) == text) return action;
  return std::nullopt;
}

std::string requirementsText(const Rule& rule) {
  std::string text = rule.sameSubassembly ? ", same subassembly" : "";
  for (const auto& [side, where] : {std::pair{"a", &rule.whereA}, std::pair{"b", &rule.whereB}}) {
    if (!where->part.empty()) text += std::string(", part of ") + side + " '" + where->part + "'";
    if (!where->colour.empty()) text += std::string(", colour of ") + side + " " + where->colour;
    if (!where->layer.empty()) text += std::string(", layer of ") + side + " '" + where->layer + "'";
  }
  if (rule.fastener) text += ", " + std::string(name(*rule.fastener));
  return text;
}

bool matchesPattern(std::string_view pattern, std::string_view text) noexcept {
  return matches(pattern, text, false);
}

bool matchesAtOrAbove(std::string_view pattern, std::string_view path) noexcept {
  return matches(pattern, path, true);
}

const RuleMatches::OfRule& Rules::resolvedFor(const Rule& rule) const {
  const auto at = static_cast<std::size_t>(&rule - rules.data());
  if (!resolved || at >= resolved->rules.size())
    throw InputError("rules", "rule " + std::to_string(at),
                     "selects by attributes and was not resolved for the model");
  return resolved->rules[at];
}

bool Rules::matchesSide(const Rule& rule, bool sideA, std::string_view path) const {
  // The subassembly that both patterns must match is that of the pair.
  if (!rule.sameSubassembly && !matches(sideA ? rule.a : rule.b, path)) return false;
  if ((sideA ? rule.whereA : rule.whereB).empty()) return true;
  const RuleMatches::OfRule& found = resolvedFor(rule);
  return (sideA ? found.a : found.b).contains(path);
}

void Rules::prepend(std::span<const Rule> first) {
  if (resolved) {  // it is by position
    auto moved = std::make_shared<RuleMatches>(*resolved);
    moved->rules.insert(moved->rules.begin(), first.size(), {});
    resolved = std::move(moved);
  }
  rules.insert(rules.begin(), first.begin(), first.end());
}

bool Rules::matches(const Rule& rule, std::string_view pathA, std::string_view pathB) const {
  if (!(matchesSide(rule, true, pathA) && matchesSide(rule, false, pathB)) &&
      !(matchesSide(rule, true, pathB) && matchesSide(rule, false, pathA)))
    return false;
  if (rule.fastener) {
    const auto [lesser, greater] = std::minmax(pathA, pathB);
    if (!resolvedFor(rule).pairs.contains({std::string(lesser), std::string(greater)})) return false;
  }
  if (!rule.sameSubassembly) return true;
  const std::size_t shorter = std::min(pathA.size(), pathB.size());
  for (std::size_t i = 0; i < shorter && pathA[i] == pathB[i]; ++i) {
    const std::string_view above = pathA.substr(0, i);
    if (pathA[i] == '/' && matchesPattern(rule.a, above) && matchesPattern(rule.b, above)) return true;
  }
  return false;
}

const Rule* Rules::find(std::string_view pathA, std::string_view pathB) const {
  const auto found =
      std::ranges::find_if(rules, [&](const Rule& rule) { return matches(rule, pathA, pathB); });
  return found == rules.end() ? nullptr : &*found;
}

bool Rules::inSetA(std::string_view path) const noexcept {
  return !check || std::any_of(check->a.begin(), check->a.end(),
                               [&](const std::string& pattern) { return matches(pattern, path); });
}

bool Rules::inSetB(std::string_view path) const noexcept {
  return !check || std::any_of(check->b.begin(), check->b.end(),
                               [&](const std::string& pattern) { return matches(pattern, path); });
}

void SelectedPairs::add(std::string_view path) {
  const bool a = rules_.inSetA(path), b = rules_.inSetB(path);
  ++all_;
  inA_ += a;
  inB_ += b;
  inBoth_ += a && b;
}

std::size_t SelectedPairs::within() const noexcept {
  // Ordered pairs of an instance of A and a different one of B. Pairs with both ends in both sets occur
  // twice.
  return inA_ * inB_ - inBoth_ - inBoth_ * (inBoth_ - (inBoth_ > 0)) / 2;
}

std::size_t SelectedPairs::with(const SelectedPairs& other) const noexcept {
  return inA_ * other.inB_ + inB_ * other.inA_ - inBoth_ * other.inBoth_;
}

}  // namespace fitup
