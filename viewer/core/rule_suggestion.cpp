#include <viewer/core/rule_suggestion.h>

#include <algorithm>
#include <string>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/base/rounding.h>
#include <fitup/base/text.h>
#include <fitup/scene/clash_depths.h>
#include <fitup/scene/threads.h>

namespace fitup::viewer {
namespace {

/// Returns a pattern for a path. Rules files hold UTF-8, and '?' matches a byte that is not UTF-8; a '*' or
/// '?' in the path also matches itself.
std::string patternFor(std::string path) {
  if (!isUtf8(path))
    std::ranges::replace_if(
        path, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
  return path;
}

/// Recognises the thread of a clash at its design placement, as rules do.
ThreadSuggestion threadIn(const Session& session, PairInterference pair) {
  pair.rule.reset();  // a rule that does not go deep enough is no reason to suggest none
  InterferenceReport only;
  only.pairs.push_back(std::move(pair));
  return findThreads(session.scene(), {}, only, session.millimetresPerUnit());
}

Rule ruleFor(const Session& session, const PairInterference& pair) {
  const Assessment found = pair.assessment();
  const auto forThesePaths = [&](RuleAction action) {
    return Rule{patternFor(session.assembly().path(pair.a)), patternFor(session.assembly().path(pair.b)), "",
                action};
  };
  switch (pair.severity()) {
    case Severity::clash: {
      if (pair.verdict && !pair.verdict->regions.empty() && pair.verdict->regions.front().pierced)
        throw InputError("each part reaches the middle of a wall of the other, which no rule allows");
      if (needsDepth(pair)) throw InputError("the depth of this clash is still being computed");
      if (!found.depth)
        throw InputError("the depth of this clash is not known, so no rule can allow it up to a depth");
      if (const ThreadSuggestion threads = threadIn(session, pair); threads.pairs > 0)
        return fitup::ruleFor(threads);
      Rule rule = forThesePaths(RuleAction::allowOverlap);
      rule.depth = roundedUp(*found.depth + found.depthErrorBound + found.chordError);
      return rule;
    }
    case Severity::tooNear:
      if (const double distance = roundedDown(found.distance.value_or(0)); distance > 0) {
        Rule rule = forThesePaths(RuleAction::clearance);
        rule.distance = distance;
        return rule;
      }
      break;
    default:
      break;
  }
  return forThesePaths(RuleAction::allowContact);
}

}  // namespace

RuleSuggestion suggestRule(const Session& session, const InterferenceReport& report, const Finding& finding) {
  if (finding.copies.size() > 2)
    throw InputError("the finding is a set of " + std::to_string(finding.copies.size()) +
                     " copies in one place, and a rule for two of them would not cover the others");
  const auto pair = std::ranges::find_if(
      report.pairs, [&](const PairInterference& p) { return p.a == finding.a && p.b == finding.b; });
  if (pair == report.pairs.end()) throw InputError("the last check has no such finding any more");
  const std::size_t end = session.state().rules.rules.size();
  return {ruleFor(session, *pair), std::min(pair->rule.value_or(end), end)};
}

}  // namespace fitup::viewer
