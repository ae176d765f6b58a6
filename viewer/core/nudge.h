#pragma once

#include <viewer/core/camera.h>

namespace fitup::viewer {

/// Ways to move a part by the keyboard, as one sees it.
enum class NudgeWay { right, up, away };

/// The axis of the world, with its sign, that comes nearest to a way in the picture. The three ways have
/// three axes.
Vec3 nudgeAxis(const Camera& camera, NudgeWay way) noexcept;

}  // namespace fitup::viewer
