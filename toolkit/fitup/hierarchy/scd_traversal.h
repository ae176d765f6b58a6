#pragma once

#include <cstdint>
#include <vector>

#include <fitup/hierarchy/scd_trees.h>
#include <fitup/hierarchy/traversal.h>

namespace FITUP_EXPORT fitup {

/// Scratch of the S-CD traversal, kept between queries so that they allocate nothing.
struct ScdScratch {
  /// Per surface of A: the last surface of B for which the pair was a candidate / was found, plus one.
  std::vector<std::uint32_t> candidateOf, foundOf;
};

/// Figueiredo, figure 4 (`OverlapBoxSetting::on`), the same without its filter (`off`), or the classical
/// descent of both trees (figure 1, `classical`). The same set of pairs in each; order and counts differ.
void traverseScd(const TraversalTask& task, const ScdTrees& treesOfA, const ScdTrees& treesOfB,
                 ScdScratch& scratch);

}  // namespace fitup
