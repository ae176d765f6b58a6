#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <fitup/hierarchy/wide_traversal.h>

// Data that queries for the first pair with `Coherence::on` leave in their scratch memory, for the layer
// above.

namespace fitup::detail {

/// Sides on which an element of B may lie beside an element of A: beyond it or short of it, along an axis of
/// A or of B.
enum Side : int { beyondInA, shortInA, beyondInB, shortInB, sideCount };

template <typename T>
using BySide = std::array<std::array<T, 3>, sideCount>;

/// The number of steps of a motion for which a gap of unit length lasts. It depends on axis and side: a part
/// that is dragged along a wall does not approach it.
struct MotionRate {
  BySide<float> along{};
  float anyWay = 0;          ///< for a gap of unknown direction; 0 if no steps can be given
  float minUsefulSteps = 0;  ///< fewer steps are useless
};

/// The number of steps for which parts stay separated: by gaps along those axes, and by gaps in other
/// directions.
struct SafeSteps {
  float along = 0, anyWay = 0;
};

/// The result of a query that found nothing.
struct RatedSafeSteps {
  MotionRate pace;
  SafeSteps apart;
};

struct WideWitness {
  TrianglePair pair;
  std::uint32_t triangleTests = 0;
};

/// Tests the last witness and the pairs tested together with it. Returns one that intersects here too, if
/// any.
std::optional<WideWitness> recallWitness(const WideBvh& treeOfA, const TriangleMesh& a,
                                         const WideBvh& treeOfB, const TriangleMesh& b,
                                         const Transform& aFromB, Touching touching, VectorUse vectorUse,
                                         WideScratch& scratch);

/// Returns true if the last query found a pair.
[[nodiscard]] bool hasWitness(WideScratch& scratch);
/// Asks the next query to report, if it finds nothing, the number of steps at this rate for which the parts
/// stay separated. If unset, the query does not. Must be called before each query.
void requestSafeSteps(WideScratch& scratch, const std::optional<MotionRate>& pace);
/// Returns the answer of the last query. There are no steps if it found something, was stopped, or if parts
/// are so near that too few steps are left.
[[nodiscard]] SafeSteps safeSteps(WideScratch& scratch);

}  // namespace fitup::detail
