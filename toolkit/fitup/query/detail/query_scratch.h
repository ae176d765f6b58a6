#pragma once

#include <optional>

#include <fitup/hierarchy/hierarchy_tree.h>
#include <fitup/hierarchy/wide_distance.h>
#include <fitup/query/detail/hull_separation.h>
#include <fitup/query/detail/pair_sorter.h>
#include <fitup/query/detail/separation.h>
#include <fitup/query/intersect.h>

namespace fitup {

/// What the kinds of query keep in a context.
struct QueryContext::Scratch {
  detail::Separation separation;
  std::optional<Vec3> separatingAxis;  ///< in the world, of the parts' boxes last
  TreeScratch tree;
  WideDistanceScratch distance;
  std::vector<WideNearest> nearest;
  detail::AnswerScratch answer;
  detail::HullSeparation hulls;
};

}  // namespace fitup
