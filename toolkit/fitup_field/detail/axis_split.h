#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <fitup_field/research_options.h>
#include <fitup_field/detail/binary_tree.h>
#include <fitup/hierarchy/detail/build_item.h>

namespace fitup::detail {

/// Builds a tree with one triangle per leaf by van den Bergen's rules; reorders the items. From a depth of 64
/// on, lists are halved, so that building takes O(n log n) for every mesh. `meter` is used as by
/// `buildBinary`.
std::vector<BinaryNode> buildByAxisSplit(std::span<BuildItem> items, AabbSplit split, const WorkMeter& meter);

/// The boxes of the nodes of a tree over `items`, from the leaves up; fourth lanes are undefined.
std::vector<Box4> boxesOf(std::span<const BinaryNode> nodes, std::span<const BuildItem> items,
                          const WorkMeter& meter);

/// An interval by centre and half extent that contains [low, high] exactly: the centre is rounded, then the
/// extent is rounded up.
struct CentredInterval {
  float centre, half;
  static CentredInterval of(float low, float high) noexcept;
};

}  // namespace fitup::detail
