#pragma once

#include <fitup/io/pictures/detail/picture.h>

namespace fitup::detail {

/// The subject of a camera; positions are relative to the scene's centre.
struct FindingView {
  Marking marking;
  double radiusA = 1, radiusB = 1;  ///< of the two parts
};

/// A camera aimed at the marking, from the direction (of 26, oblique ones preferred) with the best view of it
/// past the two parts, and then past the context. If it is nearly hidden from everywhere, a plane through its
/// middle cuts the parts.
Camera cameraFor(const FindingView& view, const RayScene& focus, const RayScene* context, const Vec3& worldUp,
                 double aspect, double reach);

}  // namespace fitup::detail
