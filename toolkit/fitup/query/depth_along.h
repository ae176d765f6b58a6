#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include <fitup/query/posed_solid.h>

namespace FITUP_EXPORT fitup {

/// A motion of a body from its pose to another one: a centre moves along a line at constant speed, and the
/// body turns about it at a constant rate, about an axis of fixed direction. In the world.
struct UniformMotion {
  Transform worldFromPart;  ///< at the end
  Vec3 centre;              ///< at the start
  double turn = 0;          ///< radians
  double shift = 0;         ///< way of the centre
};

/// Returns true if it is certain that no point of the surface of either body gets deeper into the other one
/// than `depth` while the first one moves, at any time. All poses are examined in one search
/// (`detail::SweptDepth`), so that a body may slide along a plane or in a bore as far as it wants. False also
/// means that nothing is known: after `maxPieces` pieces of surface on one of the sides, if `stop`, which is
/// asked at every 16 pieces, ends the search, where the two get nearly as deep, and for placements that are
/// neither rigid nor mirrored.
///
/// Bodies that are not closed have no known depth: the answer about them is false. `rounding` bounds by how
/// much the poses may differ from those meant. Lengths in world units. Thread-safe. Throws InputError if a
/// solid is null.
bool keepsDepthAlong(const PosedSolid& first, const PosedSolid& second, const UniformMotion& motion,
                     double depth, double rounding, std::size_t maxPieces,
                     const std::function<bool()>& stop = {});

/// The same question about one short motion after another of one pair: keeps what it found for the next one
/// (`detail::DepthCover`), which takes a small part of the time. Not thread-safe.
class DepthAlong {
 public:
  DepthAlong();
  ~DepthAlong();
  DepthAlong(DepthAlong&&) noexcept;
  DepthAlong& operator=(DepthAlong&&) noexcept;

  /// Longer motions of points take as long as with `keepsDepthAlong`: 1/16 of the size of the smaller body.
  [[nodiscard]] static double longest(const PosedSolid& first, const PosedSolid& second);
  /// As `keepsDepthAlong`. Forgets everything if a solid is another one than before.
  bool keeps(const PosedSolid& first, const PosedSolid& second, const UniformMotion& motion, double depth,
             double rounding, std::size_t maxPieces, const std::function<bool()>& stop = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fitup
