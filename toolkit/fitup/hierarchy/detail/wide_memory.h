#pragma once

#include <cstdint>
#include <optional>

#include <fitup/hierarchy/detail/steps_apart.h>
#include <fitup/hierarchy/wide_traversal.h>

// What queries for the first pair with `Coherence::on` leave in their scratch memory.

namespace fitup::detail {

struct WideWitness {
  TrianglePair pair;
  std::uint32_t triangleTests = 0;
};

/// The last witness, or a pair tested together with it, if it meets here too.
std::optional<WideWitness> recallWitness(const WideBvh& treeOfA, const TriangleMesh& a,
                                         const WideBvh& treeOfB, const TriangleMesh& b,
                                         const Transform& aFromB, Touching touching, VectorUse vectorUse,
                                         WideScratch& scratch);

/// Whether the last query found a pair.
[[nodiscard]] bool hasWitness(WideScratch& scratch);
/// A query that finds nothing shall tell for how many steps of this pace the parts stay apart. Nothing: it
/// need not. Asked before each query.
void wantSteps(WideScratch& scratch, const std::optional<StepsPerGap>& pace);
/// Of the last query; no steps where it found something, was stopped, or what was near left too few.
[[nodiscard]] StepsApart stepsTold(WideScratch& scratch);

}  // namespace fitup::detail
