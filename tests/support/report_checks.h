#pragma once

#include <string>

#include <fitup/mesh/triangle_mesh.h>
#include <fitup/query/posed_model.h>
#include <fitup/query/report.h>
#include <fitup/query/request.h>

namespace fitup::test {

/// Same surface pairs, triangle pairs and status; statistics may differ.
bool sameAnswer(const IntersectionReport& a, const IntersectionReport& b);

/// What is wrong with a complete report of `mode`, given all pairs (an oracle's report in the mode
/// `allTrianglePairs`): the laws of the modes, order, witnesses. Empty if nothing is.
std::string problemOf(const IntersectionReport& report, QueryMode mode, const IntersectionReport& all,
                      const TriangleMesh& first, const TriangleMesh& second);

/// `intersect` with every hierarchy and layout, in every mode, setting, argument order and form of code (and
/// `bruteForce`, if asked) against `all`; the first problem with the setting it arose in, or empty.
std::string problemInAnySetting(const PosedModel& first, const PosedModel& second, Touching touching,
                                const IntersectionReport& all, bool withBruteForce);

}  // namespace fitup::test
