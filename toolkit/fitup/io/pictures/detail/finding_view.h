#pragma once

#include <fitup/io/pictures/detail/picture.h>

namespace fitup::detail {

/// What a camera has to show: places relative to the scene's centre.
struct FindingView {
  Marking marking;
  double radiusA = 1, radiusB = 1;  ///< of the two parts
};

/// A camera aimed at the marking, from the direction (of 26, slanting ones preferred) from which most of it
/// can be seen past the two parts, and then past the context. If nearly nothing of it can be seen from
/// anywhere, the parts are cut by a plane through its middle.
Camera cameraFor(const FindingView& view, const RayScene& focus, const RayScene* context, const Vec3& worldUp,
                 double aspect, double reach);

}  // namespace fitup::detail
