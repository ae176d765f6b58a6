#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/io/pictures/detail/ray_scene.h>

// Pictures of parts by ray casting on the CPU, in the manner of a technical illustration: parallel
// projection, soft light from the viewer's upper left, edges of surfaces drawn.
namespace fitup::detail {

using Rgb = std::array<double, 3>;  ///< sRGB, 0 to 1

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< rows from the top
};

/// A parallel projection. `right`, `up`, `back` are an orthonormal right-handed frame; `back` points at the
/// viewer. `centre` (relative to the scene's centre) is in the middle of the picture.
struct Camera {
  Vec3 centre, right, up, back;
  double halfHeight = 1;
  /// Everything nearer to the viewer than this plane is cut away: distance of the plane from `centre` along
  /// `back`.
  std::optional<double> cut{};

  /// A camera at direction `back` (of any length), with `worldUp` upright if possible.
  static Camera looking(const Vec3& back, const Vec3& worldUp);
};

/// Common parts of triangles to mark, relative to the scene's centre: points, segments, areas.
using Marking = std::vector<std::vector<Vec3>>;

struct PictureOptions {
  int width = 440, height = 320;
  std::vector<Rgb> colours;  ///< colours of the bodies in focus, in order
  double reach = 1;          ///< radius about the scene's centre that contains all bodies
  /// Distance within which the first of several bodies is shown where they lie on each other; otherwise mated
  /// faces would show through each other at random. At least a pixel.
  double tie = 0;
};

/// Draws the bodies in focus in their colours (`preferred`: only the first of them, may be null), the context
/// (may be null) as a ghost in front of and behind them, and the marking in red: strong where it is visible,
/// faint where something in focus hides it. Advances `meter` by one unit for each row of rays. Throws
/// CancelledError.
Image drawPicture(const RayScene& focus, const RayScene* preferred, const RayScene* context,
                  const Marking& marking, const Camera& camera, const PictureOptions& options,
                  const WorkMeter& meter = {});

/// Position of a point in the picture, from the upper left, as fractions of width and height.
std::array<double, 2> positionIn(const Camera& camera, double aspect, const Vec3& point) noexcept;

}  // namespace fitup::detail
