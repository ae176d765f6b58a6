#pragma once

#include <string>

#include <fitup/mesh/triangle_mesh.h>
#include <fitup/query/posed_model.h>
#include <fitup/query/report.h>
#include <fitup/query/request.h>

namespace fitup::test {

/// Whether surface pairs, triangle pairs and status are equal; statistics may differ.
bool sameAnswer(const IntersectionReport& a, const IntersectionReport& b);

/// Returns what is wrong with a complete report of `mode`, given all pairs (an oracle's report in the mode
/// `allTrianglePairs`): the laws of the modes, order, witnesses. Empty if nothing is.
std::string problemOf(const IntersectionReport& report, QueryMode mode, const IntersectionReport& all,
                      const TriangleMesh& first, const TriangleMesh& second);

/// Compares `intersect` with `all`, with every hierarchy and layout, in every mode, setting, argument order
/// and form of code (and `bruteForce`, if requested). Returns the first problem with its setting, or empty.
std::string problemInAnySetting(const PosedModel& first, const PosedModel& second, Touching touching,
                                const IntersectionReport& all, bool withBruteForce);

}  // namespace fitup::test
