#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <fitup/hierarchy/wide_traversal.h>

// What queries for the first pair with `Coherence::on` leave in their scratch memory, for the layer above.

namespace fitup::detail {

/// Ways in which a thing of B may lie beside one of A: beyond it along an axis of A or of B, or short of it.
enum Side : int { beyondInA, shortInA, beyondInB, shortInB, sideCount };

template <typename T>
using BySide = std::array<std::array<T, 3>, sideCount>;

/// For how many steps of a motion a gap of unit length lasts. Axis and side matter: a part that is dragged
/// along a wall stays off it.
struct MotionRate {
  BySide<float> along{};
  float anyWay = 0;          ///< for a gap of unknown direction; 0: no steps can be given
  float minUsefulSteps = 0;  ///< fewer steps are of no use
};

/// For how many steps parts stay apart: by the gaps along those axes, and by gaps in other directions.
struct SafeSteps {
  float along = 0, anyWay = 0;
};

/// What a query that found nothing returns.
struct RatedSafeSteps {
  MotionRate pace;
  SafeSteps apart;
};

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
/// Asks the next query, if it finds nothing, to return for how many steps at this rate the parts stay apart.
/// Unset: it does not. To be called before each query.
void requestSafeSteps(WideScratch& scratch, const std::optional<MotionRate>& pace);
/// The answer of the last query. No steps if it found something or was stopped, or if parts so near left too
/// few.
[[nodiscard]] SafeSteps safeSteps(WideScratch& scratch);

}  // namespace fitup::detail
