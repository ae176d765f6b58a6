#pragma once

#include <functional>
#include <span>
#include <string>

#include <fitup/scene/interference.h>

namespace fitup::test {

/// The oracle of a check: `bruteForce` for every pair of instances that `wanted` accepts (positions in
/// `assembly.instances()`, i < j), each instance where `worldFromPart` says. No boxes, no broad phase.
InterferenceReport loopOverPairs(const Assembly& assembly, const CollisionModels& models,
                                 std::span<const Transform> worldFromPart,
                                 const std::function<bool(std::size_t, std::size_t)>& wanted,
                                 const IntersectionRequest& request = {});

/// The design placements of `assembly.instances()`.
std::vector<Transform> designPlacements(const Assembly& assembly);

/// Same pairs in the same order with the same answers, and the same status; statistics and times may differ.
/// Empty if so, else the first difference.
std::string difference(const InterferenceReport& found, const InterferenceReport& expected);

/// The same for whole reports: also counts, rules and what is said of each pair.
std::string differenceOfWhole(const InterferenceReport& found, const InterferenceReport& expected);

/// For a report that was cut short: everything in it is in `all`, a complete report in the mode
/// `allTrianglePairs`.
std::string problemOfPart(const InterferenceReport& report, const InterferenceReport& all);

}  // namespace fitup::test
