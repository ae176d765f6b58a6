#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fitup/geometry/transform.h>

namespace FITUP_EXPORT fitup {

/// sRGB components and opacity in [0, 1].
struct Colour {
  float red = 0.7F, green = 0.7F, blue = 0.7F, alpha = 1.0F;
  friend bool operator==(const Colour&, const Colour&) = default;
};

/// The kind of geometry of a surface.
enum class SurfaceKind : std::uint32_t {
  unknown,
  plane,
  cylinder,
  cone,
  sphere,
  torus,
  revolution,
  extrusion,
  freeform
};

std::string_view name(SurfaceKind kind) noexcept;

/// The geometry of a CAD face, in the part's frame and unit.
struct SurfaceDescription {
  SurfaceKind kind = SurfaceKind::unknown;
  Vec3 point;               ///< a point of the plane or axis; the centre of a sphere or torus
  Vec3 axis{0, 0, 1};       ///< unit normal or axis
  double radius = 0;        ///< cylinder, sphere; cone at `point`; torus: major radius
  double secondRadius = 0;  ///< torus: minor radius
  double halfAngle = 0;     ///< cone, radians
  friend bool operator==(const SurfaceDescription&, const SurfaceDescription&) = default;
};

/// True if all its numbers are finite.
bool isFinite(const SurfaceDescription& description) noexcept;

/// "plane", "cylinder d 12", "torus d 40 / d 8", ... with up to six significant digits, C locale.
std::string text(const SurfaceDescription& description);

/// The surface in the world under a placement, with its radii there. A plane's axis stays on its side. Empty
/// if the placement changes the kind of the surface (an oval cylinder, to one part in a million), and for
/// kinds that have no numbers. Precondition: the placement can be inverted.
std::optional<SurfaceDescription> placed(const SurfaceDescription& inPart, const Transform& worldFromPart);

/// Data that recognise a surface again after an edit that renumbers faces: kind, size, position.
struct SurfaceFingerprint {
  SurfaceKind kind = SurfaceKind::unknown;
  double area = 0;  ///< of the triangles, in the part's unit squared
  Vec3 centroid;    ///< area-weighted, in the part's frame
  friend bool operator==(const SurfaceFingerprint&, const SurfaceFingerprint&) = default;
};

/// A patch of a part that was tessellated on its own: a CAD face, a group, a smooth patch of a raw mesh.
struct Surface {
  std::string name;  ///< as in the file; may be empty
  std::optional<Colour> colour;
  std::optional<SurfaceDescription> description;
  std::uint32_t firstTriangle = 0;  ///< its triangles are [firstTriangle, firstTriangle + triangleCount)
  std::uint32_t triangleCount = 0;  ///< 0: the face exists in the file but could not be tessellated
  SurfaceFingerprint fingerprint;
  /// Bound on the distance of the triangles from the exact face of a CAD shape and of the face from the
  /// triangles, in the part's unit. Unset: that of the mesh applies (`TriangleMesh::chordErrorOf`).
  std::optional<double> chordError;
  /// The caller's own value: an index, a key, a pointer. It is copied along and never read; files and hashes
  /// omit it.
  std::uint64_t tag = 0;
};

}  // namespace fitup
