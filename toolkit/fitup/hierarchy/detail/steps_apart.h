#pragma once

#include <array>

namespace fitup::detail {

/// Ways in which a thing of B may lie beside one of A: beyond it along an axis of A or of B, or short of it.
enum Side : int { beyondInA, shortInA, beyondInB, shortInB, sideCount };

template <typename T>
using BySide = std::array<std::array<T, 3>, sideCount>;

/// For how many steps of a motion a gap lasts, for each unit of it. Along which axis and on which side there
/// is a gap matters: a part that is dragged along a wall stays off it.
struct StepsPerGap {
  BySide<float> along{};
  float anyWay = 0;  ///< for a gap of unknown direction; 0: no steps can be told
  float enough = 0;  ///< fewer steps are of no use
};

/// That parts are apart for so many steps, as far as gaps along those axes tell, and as far as others do.
struct StepsApart {
  float along = 0, anyWay = 0;
};

/// What a query that found nothing tells.
struct StepsTold {
  StepsPerGap pace;
  StepsApart apart;
};

}  // namespace fitup::detail
