#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include <fitup/motion/detail/advancement.h>
#include <fitup/motion/detail/pair_limit.h>
#include <fitup/motion/detail/rigid_path.h>
#include <fitup/query/distance_along.h>

namespace fitup::detail {

/// In resolutions: what a pair that is not fine farther on keeps of its margin. More than the resolution and
/// the accuracy of depths, a quarter of it, so that it is then found fine.
inline constexpr double aLittleMore = 1.3;

/// How far ahead a pair is looked at in one search that covers a stretch of its way, and takes longer than a
/// look at one place: farther after a success, less far after a failure, and not at all for some looks after
/// failures in a row. Lengths of ways in world units.
class Stride {
 public:
  /// True if no search is to be made now. To be asked once a look.
  bool pauses() noexcept { return pause_ > 0 && pause_-- > 0; }
  [[nodiscard]] double length() const noexcept { return length_; }
  void succeed(double length) noexcept {
    length_ = 4 * length;
    failures_ = 0;
  }
  void shorten(double length) noexcept { length_ = length / 4; }
  /// After a look without success.
  void rest() noexcept { pause_ = std::min(16U, 1U << std::min(failures_++, 4U)); }
  /// Lets at least the next look be made without a search.
  void skipNext() noexcept { pause_ = std::max(pause_, 1U); }

 private:
  double length_ = Advancement::never;
  unsigned failures_ = 0, pause_ = 0;
};

/// Where a pair is on its way: at s, where its points near each other by at most `speed` for each unit of s.
struct OnWay {
  double s = 0, speed = 0;
  [[nodiscard]] double left() const noexcept { return speed * (1 - s); }
};

/// Looks for a stretch of the way of the first part on which a pair in contact, whose second part rests,
/// keeps a margin (`PairLimit::keepsAlong`), so that parts that slide along each other are not examined at
/// every margin's length. Returns the end of the stretch, infinity if that is the end of the way, nothing if
/// none was found. `kept` as in `PairLimit::keepsAlong`.
std::optional<double> keepsContactAhead(const PairLimit& limit, const MovingPair& pair, const OnWay& on,
                                        const RigidPath& path, const UniformWay& firstWay, double margin,
                                        Stride& stride, DepthAlong* kept = nullptr,
                                        const QueryLimits& limits = {});

/// What two parts certainly keep up to `until`, at most 1.
struct ApartAhead {
  double until = 0;
  double atLeast = 0;  ///< distance
};
/// The same for parts that keep a distance, of which either may move (`distanceAlong`, whose `to` is set
/// here): the request has `from`, clearance, reserve and rounding.
std::optional<ApartAhead> keepsDistanceAhead(const CollisionModel& first, const UniformWay& firstWay,
                                             const CollisionModel& second, const UniformWay& secondWay,
                                             double speed, DistanceAlongRequest request, Stride& stride);

}  // namespace fitup::detail
