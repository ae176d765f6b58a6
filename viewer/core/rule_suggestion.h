#pragma once

#include <cstddef>

#include <viewer/core/findings.h>

namespace fitup::viewer {

/// A rule that makes a finding need no action, and its place among the session's rules: before the one that
/// applies to the pair now, because the first match applies.
struct RuleSuggestion {
  Rule rule;
  std::size_t position = 0;
};

/// Suggests a rule for the two parts of a finding of this report: for a clash, the overlap that it has,
/// rounded up to two digits; for a recognised thread, the rule for threads that the command line suggests;
/// for a pair that is too near, the distance that it keeps, rounded down; otherwise contact. Throws
/// InputError if the depth of a clash is not known, and for more than two copies in one place, which no
/// single pair covers.
RuleSuggestion suggestRule(const Session& session, const InterferenceReport& report, const Finding& finding);

}  // namespace fitup::viewer
