#pragma once

#include <optional>

#include <fitup/hierarchy/hierarchy_tree.h>
#include <fitup/hierarchy/wide_distance.h>
#include <fitup/query/detail/hull_separation.h>
#include <fitup/query/detail/pair_sorter.h>
#include <fitup/query/detail/separation.h>
#include <fitup/query/intersect.h>

namespace fitup {

/// Scratch memory that a context keeps for all kinds of query.
struct QueryContext::Scratch {
  detail::Separation separation;
  std::optional<Vec3> separatingAxis;  ///< the last separating axis of the parts' boxes, in the world
  TreeScratch tree;
  WideDistanceScratch distance;
  std::vector<WideNearest> nearest;
  detail::AnswerScratch answer;
  detail::HullSeparation hulls;
};

}  // namespace fitup
