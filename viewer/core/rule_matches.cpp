#include <viewer/core/rule_matches.h>

#include <utility>

namespace fitup::viewer {
namespace {

std::string keyOf(const Rule& rule) {
  std::string key;
  // Each text with its length, so that no two rules have the same key.
  for (const std::string* text :
       {&rule.a, &rule.b, &rule.whereA.part, &rule.whereA.colour, &rule.whereA.layer, &rule.whereB.part,
        &rule.whereB.colour, &rule.whereB.layer})
    key += std::to_string(text->size()) + ':' + *text;
  key += rule.sameSubassembly ? 's' : '-';
  if (rule.fastener) key += name(*rule.fastener);
  return key;
}

}  // namespace

const RuleMatchCounter::Pairs& RuleMatchCounter::matchedBy(Rule rule) {
  const auto [found, isNew] = known_.try_emplace(keyOf(rule));
  Pairs& pairs = found->second;
  if (!isNew) return pairs;
  const Rule anyFastener{.a = "*", .b = "*", .fastener = rule.fastener};
  if (rule.fastener && keyOf(rule) != keyOf(anyFastener)) {
    // Fasteners take long to recognise and do not depend on the rest of the rule.
    pairs = matchedBy(anyFastener);
    rule.fastener.reset();
    const Pairs& others = matchedBy(rule);
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = pairs[i] && others[i];
    return pairs;
  }
  Rules alone;
  alone.wholePaths = wholePaths_;
  alone.rules.push_back(std::move(rule));
  alone = session_.resolved(std::move(alone));
  const auto paths = session_.scene().paths();
  pairs.reserve(paths.size() * (paths.size() - 1) / 2);
  for (std::size_t i = 0; i < paths.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      pairs.push_back(alone.matches(alone.rules.front(), paths[i], paths[j]));
  return pairs;
}

std::optional<std::vector<RuleMatchCount>> RuleMatchCounter::count(const Rules& rules) {
  const std::size_t instances = session_.scene().instances().size();
  const std::size_t pairs = instances < 2 ? 0 : instances * (instances - 1) / 2;
  if (pairs * rules.rules.size() > mostMatchings) return std::nullopt;
  // What was matched before the last changes is not kept for ever.
  if (wholePaths_ != rules.wholePaths || known_.size() * pairs > 8 * mostMatchings) known_.clear();
  wholePaths_ = rules.wholePaths;
  Pairs taken(pairs);
  std::vector<RuleMatchCount> counts;
  for (const Rule& rule : rules.rules) {
    RuleMatchCount& count = counts.emplace_back();
    const Pairs& matched = matchedBy(rule);
    for (std::size_t i = 0; i < pairs; ++i) {
      if (!matched[i]) continue;
      ++count.matching;
      if (taken[i]) continue;
      taken[i] = true;
      ++count.applying;
    }
  }
  return counts;
}

}  // namespace fitup::viewer
