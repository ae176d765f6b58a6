#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <fitup/planning/detail/way_tester.h>
#include <fitup/planning/removal.h>

namespace fitup::detail {

/// A straight way that is stopped.
struct StoppedWay {
  std::size_t direction = 0;  ///< position in `RemovalReport::directions`
  std::span<const WayPiece> pieces;
  const MotionContact* stop = nullptr;
  double reached = 0;  ///< share of it that is certain
};

/// Finds faces that need to yield for ways to be certain: for each way at most one relief of faces of parts
/// at rest, and one of faces of the moved parts. A relief of fewer faces is preferred, among those of as many
/// faces the one with the least sum of offsets, as far as it was looked for. They are returned in this order.
///
/// A face is first set back so far that it is surely not in the way, or as far as its part allows. If another
/// face stops the way then, that one follows. When the way is certain, one offset after the other is made
/// smaller by bisection.
///
/// The work is bounded, and depends only on the arguments, unless the tester's time is over or
/// it is cancelled.
std::vector<RemovalRelief> findReliefs(const Scene& scene, const Poses& poses, WayTester& tester,
                                       std::span<const StoppedWay> ways, const RemovalOptions& options,
                                       const Progress& progress);

}  // namespace fitup::detail
