#pragma once

#include <optional>
#include <vector>

#include <fitup/hierarchy/solid_model.h>
#include <fitup/io/project_file.h>
#include <viewer/core/flat_region.h>

namespace fitup::viewer {

/// A section plane with a right-handed frame u, v, normal. The frame depends only on the normal, apart from
/// its origin, which is the foot of the perpendicular from the origin of the world.
class SectionFrame {
 public:
  explicit SectionFrame(const SectionPlane& plane) noexcept;
  [[nodiscard]] const SectionPlane& plane() const noexcept { return plane_; }
  [[nodiscard]] const Vec3& u() const noexcept { return u_; }
  [[nodiscard]] const Vec3& v() const noexcept { return v_; }
  /// Height of a world point above the plane.
  [[nodiscard]] double height(const Vec3& point) const noexcept {
    return dot(plane_.normal, point) - plane_.offset;
  }
  /// The projection of a world point.
  [[nodiscard]] FlatPoint flat(const Vec3& point) const noexcept { return {dot(u_, point), dot(v_, point)}; }
  [[nodiscard]] Vec3 world(const FlatPoint& point) const noexcept {
    return plane_.normal * plane_.offset + u_ * point.x + v_ * point.y;
  }
  /// Returns the part of this plane that another plane keeps; empty if that is all or nothing of it, because
  /// they are parallel.
  [[nodiscard]] std::optional<FlatHalf> keptBy(const SectionPlane& other) const noexcept;

 private:
  SectionPlane plane_;
  Vec3 u_, v_;
};

/// A line in a section plane.
struct FlatLine {
  FlatPoint from, to;
};

/// The lines in which a plane cuts the triangles of a part.
struct PartCut {
  /// Around the material of a closed part, counter-clockwise seen from the side that is cut away.
  std::vector<FlatLoop> loops;
  /// Of a part that is open, or not known to be closed.
  std::vector<FlatLine> lines;
};

/// Cuts a placed part. Points in the plane, or below it by no more than the rounding of stored coordinates
/// (2^-22 of the largest), count as above it; otherwise a face in the plane would be cut in some of its
/// triangles only. A triangle is cut if it has points on both sides. Equal points have equal heights, so the
/// two triangles at an edge agree on whether and where the plane crosses it, and the cut of a closed part
/// consists of closed loops, whatever lies in the plane: the section is the limit of sections from below.
/// Visits only the triangles near the plane if the model has the wide tree. Throws as `PlacedTree`.
PartCut cutOf(const SolidModel& solid, const Transform& worldFromPart, const SectionFrame& frame);
/// The same without knowledge of what the triangles bound: lines only.
PartCut cutOf(const std::shared_ptr<const CollisionModel>& model, const Transform& worldFromPart,
              const SectionFrame& frame);

}  // namespace fitup::viewer
