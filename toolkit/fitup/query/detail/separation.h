#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <fitup/geometry/vectors-inl.h>
#include <fitup/hierarchy/wide_memory-inl.h>
#include <fitup/query/posed_model.h>

namespace fitup::detail {

/// The places of two parts at the last traversal, and the number of steps for which they stay separated from
/// there. While that holds, no part needs to be placed. The steps are like those that the parts made before.
/// They follow from directional motion bounds (as in conservative advancement), so a part that slides along
/// another one stays separated from it.
///
/// *Bound.* With D = M' - M and d = (M' - M) c + (t' - t), a point c + r of a part's box moves by D r + d,
/// whatever map M' is. Along a direction n it moves by n . d +- |n^T D| h, and in no direction by more than
/// |D|_F |h| + |d|. The directions are the former axes of both parts in the world. Gaps are measured in the
/// axes of A between placed coordinates; the error of these (pair_preparation.h) is counted as motion, and so
/// are the roundings here.
class Separation {
 public:
  /// Keeps the result of a traversal that found nothing, in which the second part played A if `swapped`.
  /// `found` is unset if the traversal was not asked for steps.
  void keep(const PosedModel& first, const PosedModel& second, bool swapped,
            const std::optional<RatedSafeSteps>& found) noexcept;
  /// The parts are not separated. Their places are kept for `pace`.
  void end() noexcept { apart_ = {}; }
  void countQuestion() noexcept {
    ++questions_;
    motion_.reset();
  }
  /// Returns true if the parts are still separated. Parts are identified by the content of their meshes, in
  /// either order; parts with the same content by their order.
  [[nodiscard]] bool holds(const PosedModel& first, const PosedModel& second) noexcept;
  /// Returns true if a traversal should be asked for steps. After failures it is asked less often.
  [[nodiscard]] bool isWanted() const noexcept { return (traversals_ & ((1U << missStreak_) - 1)) == 0; }
  /// Returns the motion since `keep` for each counted query. If no motion of these parts is known, assumes
  /// steps as long as the parts are large.
  [[nodiscard]] MotionRate pace(const PosedModel& first, const PosedModel& second) const noexcept;

 private:
  /// Lane k belongs to axis k, as in the rows of a placement's matrix.
  using Rows = std::array<Float4, 3>;
  struct Part {
    bool known = false;
    std::uint64_t contentHash = 0;
    Transform then;
    Rows axes{};
    Vec3 centre;           ///< centre of the part's box
    Float4 reach{};        ///< half extents of the box, or a little more
    float halfSquare = 0;  ///< square of the length of the half extents
    double magnitude = 0;
    bool rigid = false;  ///< rigid or mirrored

    void set(const PosedModel& posed) noexcept;
  };
  /// Motion of B relative to A, along the axes of each: of the centre of its box, and of its sides beyond
  /// that.
  struct Motion {
    std::array<Float4, 2> shift{}, turn{};
    float error = 0;
    /// For both parts: |D|_F^2, |h|^2, |d|^2.
    struct Squares {
      float turn = 0, half = 0, shift = 0;
    };
    std::array<Squares, 2> squares{};

    /// Adds the motion of a part (0 is A, 1 is B) from `then` to `now`.
    void add(std::size_t part, const Part& then, const Transform& now,
             const std::array<const Rows*, 2>& axes) noexcept;
    [[nodiscard]] float anyWay() const noexcept;
    /// Returns true if a map that differs by so much may be singular, which the short cut cannot decide.
    [[nodiscard]] bool tooFar() const noexcept { return !(squares[0].turn + squares[1].turn < 0.25F); }
    /// Distances by which B comes nearer to A, for each axis of a side.
    [[nodiscard]] Float4 towards(int side) const noexcept {
      const auto of = static_cast<std::size_t>(side / 2);
      return (side % 2 == 0 ? turn[of] - shift[of] : turn[of] + shift[of]) + error;
    }
  };
  [[nodiscard]] bool isOf(const PosedModel& first, const PosedModel& second) const noexcept;
  [[nodiscard]] Motion motionTo(const PosedModel& first, const PosedModel& second) const noexcept;
  [[nodiscard]] bool isWithin(const Motion& motion) const noexcept;

  Part a_, b_;
  bool swapped_ = false;
  SafeSteps apart_;                        ///< a little less than the traversal found
  std::array<Float4, sideCount> along_{};  ///< steps for each unit of motion
  float anyWay_ = 0;
  float offPlace_ = 0;            ///< largest error of placed coordinates
  unsigned questions_ = 0;        ///< number of queries since `keep`
  std::optional<Motion> motion_;  ///< motion up to the present query, if it exceeded the steps
  unsigned traversals_ = 0;
  unsigned missStreak_ = 0;  ///< number of times in a row that the steps found did not hold, up to a limit
};

}  // namespace fitup::detail
