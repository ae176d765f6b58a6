#pragma once

#include <viewer/core/camera.h>

namespace fitup::viewer {

/// The directions, as seen in the view, in which the keyboard moves a part.
enum class NudgeWay { right, up, away };

/// Returns the signed axis of the world that is closest to a direction in the picture. The three directions
/// have three different axes.
Vec3 nudgeAxis(const Camera& camera, NudgeWay way) noexcept;

}  // namespace fitup::viewer
