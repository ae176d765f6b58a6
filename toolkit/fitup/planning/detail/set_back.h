#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <fitup/hierarchy/solid_model.h>
#include <fitup/mesh/analytic_surface.h>

namespace fitup::detail {

/// A closed part whose faces are moved into its material (`withFacesSetBack`). All lengths and points are in
/// the frame and unit of the part. Not thread-safe: it remembers the shapes of faces.
class SetBackPart {
 public:
  /// Null if the part is not closed, or only after repairs: then it is not known which side is the material.
  static std::unique_ptr<SetBackPart> of(std::shared_ptr<const SolidModel> solid);

  [[nodiscard]] const TriangleMesh& mesh() const noexcept { return solid_->mesh(); }
  /// The points of the mesh as it is.
  [[nodiscard]] std::vector<Vec3> points() const;
  /// The surface with those of its neighbours that continue it: on the same plane, cylinder, cone, sphere or
  /// torus. Ascending.
  [[nodiscard]] std::vector<SurfaceId> wholeFace(SurfaceId surface);
  /// Surfaces that share a point with one of these, without these. Ascending.
  [[nodiscard]] std::vector<SurfaceId> neighbours(std::span<const SurfaceId> surfaces) const;
  /// The plane, cylinder, cone, sphere or torus of a surface; its normal may point either way.
  [[nodiscard]] const std::optional<AnalyticSurface>& shape(SurfaceId surface);
  [[nodiscard]] const std::optional<SurfaceDescription>& description(SurfaceId surface);
  /// The unit normal of a surface out of the material, as the mean over its triangles. Zero if they cancel.
  [[nodiscard]] Vec3 outward(std::span<const SurfaceId> surfaces) const;
  /// True for a round surface with the material outside of it, such as a hole.
  [[nodiscard]] bool isHollow(SurfaceId surface);

  /// Moves the points of a face of `points` into the material. Returns false if a triangle at these points
  /// turns over, or falls together, compared to the mesh as it is; `points` are then moved all the same.
  bool move(std::span<const SurfaceId> face, double offset, std::vector<Vec3>& points);

  /// The mesh with its points moved, with what is still known of its faces. `growth` is the largest factor by
  /// which a round face has grown.
  [[nodiscard]] std::shared_ptr<const TriangleMesh> meshWith(const std::vector<Vec3>& points, double growth);
  /// The factor by which the radius of a round face grows; at least 1.
  [[nodiscard]] double growthOf(std::span<const SurfaceId> face, double offset);
  /// False if the changed part crosses itself where this one does not, or has other shells or cavities.
  [[nodiscard]] bool isSound(const SolidModel& changed) const;

 private:
  struct Known {
    bool isAsked = false;
    std::optional<SurfaceDescription> description;
    std::optional<AnalyticSurface> shape;
    double sign = 1;  ///< makes the normal of the shape point out of the material
  };
  explicit SetBackPart(std::shared_ptr<const SolidModel> solid);
  Known& known(SurfaceId surface);
  /// Twice the area times the normal out of the material.
  [[nodiscard]] Vec3 areaNormal(TriangleId triangle, std::span<const Vec3> points) const;
  [[nodiscard]] std::span<const std::uint32_t> trianglesAt(std::uint32_t welded) const;
  [[nodiscard]] Vec3 motionOf(std::uint32_t welded, std::span<const SurfaceId> face,
                              std::span<const Vec3> points);

  std::shared_ptr<const SolidModel> solid_;
  double size_ = 0;
  std::vector<Known> known_;
  std::vector<std::uint32_t> first_, at_;  ///< triangles by welded point
};

}  // namespace fitup::detail
