#pragma once

#include <cstddef>
#include <optional>

#include <fitup/io/report_document.h>
#include <fitup/scene/rules.h>

namespace fitup::detail {

/// The review that a rule (by its position) gives for a verdict without a user: allowed contact needs no
/// review.
inline Review reviewByRule(const Rules& rules, const std::optional<std::size_t>& rule,
                           const std::optional<Verdict>& verdict) {
  if (verdict != Verdict::contact || !rule || *rule >= rules.rules.size()) return {};
  const Rule& r = rules.rules[*rule];
  if (!allowsContact(r.action)) return {};
  return {ReviewStatus::approved, "contact allowed by a rule" + (r.reason.empty() ? "" : ": " + r.reason)};
}

}  // namespace fitup::detail
