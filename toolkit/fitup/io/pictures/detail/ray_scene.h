#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/geometry/transform.h>
#include <fitup/scene/assembly.h>

// Rays through instances of parts, for pictures only: Embree works in single precision. Built only with
// Embree, whose types do not appear here.
namespace fitup::detail {

/// The parts of an assembly, ready for placing. Copies the triangles.
class RayParts {
 public:
  /// `threads` as for `parallelFor`. Refers to the assembly. Throws CancelledError.
  RayParts(const Assembly& assembly, unsigned threads, const Progress& progress = {});
  ~RayParts();
  RayParts(const RayParts&) = delete;
  RayParts& operator=(const RayParts&) = delete;

 private:
  friend class RayScene;
  struct State;
  std::unique_ptr<State> state_;
};

struct RayHit {
  bool found = false;
  bool fromBehind = false;    ///< the ray left the part: it met a triangle's back
  float distance = 0;         ///< along the unit direction
  Vec3 normal;                ///< unit vector, normal of the triangle, outward by the part's winding
  std::uint32_t body = 0;     ///< position in the list of bodies
  std::uint32_t surface = 0;  ///< ordinal in its part
};

/// A placed part. Positions of rays are relative to `centre`, so that single precision suffices for models
/// far from the origin.
struct RayBody {
  PartId part{};
  Transform worldFromPart;
};

/// A set of bodies. Const and thread-safe; refers to the parts.
class RayScene {
 public:
  RayScene(const RayParts& parts, std::span<const RayBody> bodies, const Vec3& centre);
  ~RayScene();
  RayScene(RayScene&&) noexcept;
  RayScene& operator=(RayScene&&) = delete;

  /// Number of rays that are cast together, because they have the same direction.
  static constexpr std::size_t packet = 8;
  /// The first hit from each of the first `count` origins (relative to the centre) along the unit
  /// `direction`, at most `length` away.
  [[nodiscard]] std::array<RayHit, packet> first(const std::array<Vec3, packet>& origins, std::size_t count,
                                                 const Vec3& direction, double length) const;
  /// True if anything lies between `origin` and `origin + length * direction`.
  [[nodiscard]] bool blocked(const Vec3& origin, const Vec3& direction, double length) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fitup::detail
