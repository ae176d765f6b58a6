#pragma once

#include <cstdint>
#include <optional>

#include <fitup/query/posed_model.h>

namespace fitup::detail {

/// A direction along which the convex hulls of two parts were apart, or nearly, kept from one question to the
/// next: parts that lie close beside each other, whose boxes meet, stay apart along one direction that turns
/// slowly. To tell that takes some 50 to 150 ns, a tenth to a third of the search in their trees that it
/// saves.
///
/// Let a and b be the corners that reach farthest towards the other part. Where hulls are not apart along the
/// direction kept, d, the next one is d reflected at the plane across b - a (Chung and Wang 1996, "Quick
/// collision detection of polytopes in virtual environments"), which finds one that has turned a little.
/// Further ones lead to the point nearest to the origin in the hull of the last differences b - a (Gilbert,
/// Johnson and Keerthi 1988), which finds any, or that the hulls meet. They may come from anywhere: what is
/// apart along one is apart.
class HullSeparation {
 public:
  void countQuestion() noexcept { ++question_; }
  [[nodiscard]] std::uint64_t question() const noexcept { return question_; }
  /// The last answer came from the hulls, so that they are asked first.
  [[nodiscard]] bool holds() const noexcept { return holds_; }
  void leave() noexcept { holds_ = false; }
  /// Whether it is worth while to ask: not for a while where hulls were found to meet.
  [[nodiscard]] bool isWanted() const noexcept { return question_ >= restUntil_; }
  /// True only if the parts are certainly apart, under the conditions of `boxesApartAlongAxes`. Looks along
  /// so many directions at most, beginning with the one kept.
  bool areApart(const PosedModel& first, const PosedModel& second, unsigned directions);

 private:
  bool seek(const PosedModel& first, const PosedModel& second, unsigned directions);
  void restAWhile() noexcept;

  std::optional<Vec3> direction_;  ///< in the world, from the first part to the second; of unit length
  bool holds_ = false;
  std::uint64_t question_ = 0, restUntil_ = 0;
  unsigned missStreak_ = 0;  ///< times in a row that hulls were found to meet, up to a limit
};

}  // namespace fitup::detail
