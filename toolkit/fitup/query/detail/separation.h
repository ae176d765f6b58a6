#pragma once

#include <array>
#include <cstdint>

#include <fitup/query/posed_model.h>

namespace fitup::detail {

/// That two parts were apart, by how much and where: until they have moved by as much they still are, and no
/// box needs to be carried anywhere. Parts are told by their meshes' content.
///
/// *Bound.* No point c + r of a part moves by more than |M' - M|_F |r| + |(M' - M) c + (t' - t)|, whatever
/// map M' is. `gap` is what the parts are apart in the world by the real numbers of their placements; what
/// placed coordinates are off by (boxes_apart.cpp) is taken off before it is kept, and so are the roundings
/// here, of terms that the magnitude there bounds. A map that differs from an orthonormal one by less than a
/// tenth is not singular, and numbers stay in range: queries at such places have an answer.
class Separation {
 public:
  void forget() noexcept { gap_ = 0; }
  /// `gap`: at least so far apart in the world, as a query's 32-bit bounds tell it. Precondition: placements
  /// are orthonormal up to 2^-20.
  void keep(const PosedModel& first, const PosedModel& second, double gap) noexcept;
  /// Still apart; counts being asked. The arguments may have changed places.
  [[nodiscard]] bool holds(const PosedModel& first, const PosedModel& second) noexcept;
  /// How far the parts moved from one question to the next, about; 0 if that is not known. Only after
  /// `holds` said no.
  [[nodiscard]] double motionPerQuestion() const noexcept { return questions_ > 0 ? moved_ / questions_ : 0; }

 private:
  /// Rows of a map and its translation, one after the other.
  using Numbers = std::array<double, 12>;
  struct Motion {
    double turnSquared, shiftSquared;
  };
  struct Side {
    std::uint64_t contentHash = 0;
    Numbers then{};
    Numbers centre{};          ///< of the part's box, as factors of what `then` holds
    double radiusSquared = 0;  ///< of the ball around that
    [[nodiscard]] Motion motionTo(const Transform& now) const noexcept;
    [[nodiscard]] double squareSum(const Motion& m) const noexcept {
      return m.turnSquared * radiusSquared + m.shiftSquared;
    }
    [[nodiscard]] double distance(const Motion& m) const noexcept;
  };
  static Side sideOf(const PosedModel& posed) noexcept;

  double gap_ = 0;  ///< 0: nothing is known
  Side first_, second_;
  double moved_ = 0;
  int questions_ = 0;
};

}  // namespace fitup::detail
