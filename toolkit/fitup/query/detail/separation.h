#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <fitup/geometry/vectors-inl.h>
#include <fitup/hierarchy/wide_memory-inl.h>
#include <fitup/query/posed_model.h>

namespace fitup::detail {

/// Where two parts were at the last traversal and for how many steps from there they stay apart: while that
/// holds no part is placed. Steps are such as the parts made before, found by directional motion bounds (as
/// in conservative advancement), so that a part that slides along another stays apart from it.
///
/// *Bound.* With D = M' - M and d = (M' - M) c + (t' - t), a point c + r of a part's box moves by D r + d,
/// whatever map M' is: along a direction n by n . d +- |n^T D| h, and nowhere by more than |D|_F |h| + |d|.
/// The directions are the axes of both parts in the world, as they were. Gaps are measured in the axes of A
/// between placed coordinates; what those are off by (pair_preparation.h) is taken for motion, and so are the
/// roundings here.
class Separation {
 public:
  /// Of a traversal that found nothing, in which the second part played A if `swapped`. Nothing: it was not
  /// asked for steps.
  void keep(const PosedModel& first, const PosedModel& second, bool swapped,
            const std::optional<RatedSafeSteps>& found) noexcept;
  /// They are not; their places are kept for `pace`.
  void end() noexcept { apart_ = {}; }
  void countQuestion() noexcept {
    ++questions_;
    motion_.reset();
  }
  /// Still apart. Parts are identified by their meshes' content, in either order; those with the same by the
  /// order.
  [[nodiscard]] bool holds(const PosedModel& first, const PosedModel& second) noexcept;
  /// Whether it is worth while to ask a traversal for steps: not each time where they were of no use lately.
  [[nodiscard]] bool isWanted() const noexcept { return (traversals_ & ((1U << missStreak_) - 1)) == 0; }
  /// For steps like those since `keep`, one a counted question; where no motion of these parts is known, for
  /// steps as long as the parts are large.
  [[nodiscard]] MotionRate pace(const PosedModel& first, const PosedModel& second) const noexcept;

 private:
  /// Lane k: of axis k. Rows of a placement's matrix are such.
  using Rows = std::array<Float4, 3>;
  struct Part {
    bool known = false;
    std::uint64_t contentHash = 0;
    Transform then;
    Rows axes{};
    Vec3 centre;           ///< of the part's box
    Float4 reach{};        ///< its half extents, or a little more
    float halfSquare = 0;  ///< of their length
    double magnitude = 0;
    bool rigid = false;  ///< or mirrored

    void set(const PosedModel& posed) noexcept;
  };
  /// How B moved against A, along the axes of each: its box's centre, and its sides beyond that.
  struct Motion {
    std::array<Float4, 2> shift{}, turn{};
    float error = 0;
    /// Of both parts: |D|_F^2, |h|^2, |d|^2.
    struct Squares {
      float turn = 0, half = 0, shift = 0;
    };
    std::array<Squares, 2> squares{};

    /// `part` as it is `now`: 0 of A, 1 of B.
    void add(std::size_t part, const Part& then, const Transform& now,
             const std::array<const Rows*, 2>& axes) noexcept;
    [[nodiscard]] float anyWay() const noexcept;
    /// Whether a map that differs so much may be singular: not for a short cut to judge.
    [[nodiscard]] bool tooFar() const noexcept { return !(squares[0].turn + squares[1].turn < 0.25F); }
    /// By how much B comes nearer to what it lies beside so.
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
  SafeSteps apart_;                        ///< a little less than was found
  std::array<Float4, sideCount> along_{};  ///< steps for each unit of motion
  float anyWay_ = 0;
  float offPlace_ = 0;            ///< what placed coordinates may be off by
  unsigned questions_ = 0;        ///< since then
  std::optional<Motion> motion_;  ///< to the present question, where it was too much
  unsigned traversals_ = 0;
  unsigned missStreak_ = 0;  ///< so often in a row steps that were found did not hold, up to a limit
};

}  // namespace fitup::detail
