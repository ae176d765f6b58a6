#pragma once

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/query/intersection_marks.h>
#include <fitup/scene/interference_report.h>
#include <fitup/scene/scene.h>

namespace fitup::viewer {

using InstancePair = std::pair<NodeId, NodeId>;

/// Returns the pairs of a report whose intersection needs action, in its order, without those whose depth is
/// open and those with hidden instances alone. Returns nothing if there are more than `most`, so that all
/// pairs are shown alike.
std::vector<InstancePair> pairsToMark(const InterferenceReport& report, const std::set<NodeId>& hidden,
                                      std::size_t most = 100);

/// Returns where two instances intersect. Makes missing models and solids. `mostPieces`, errors and threads
/// as of `intersectionMarks`.
IntersectionMarks marksOf(const Scene& scene, const Poses& poses, NodeId a, NodeId b,
                          const Progress& progress = {}, std::size_t mostPieces = 40'000);

}  // namespace fitup::viewer
