#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <fitup/base/progress.h>
#include <fitup/hierarchy/solid_model.h>
#include <fitup/scene/part_refiner.h>

namespace FITUP_EXPORT fitup {

/// Solids of finer meshes of the parts of a scene, made when they are first asked for and kept while there is
/// room. Thread-safe. What it returns depends on the arguments only.
class Refinement {
 public:
  /// Number of triangles that are kept.
  static constexpr std::size_t usualRoom = 2'000'000;

  /// Throws InputError if `refiner` is null.
  explicit Refinement(std::shared_ptr<PartRefiner> refiner, std::size_t room = usualRoom);
  ~Refinement();
  Refinement(const Refinement&) = delete;
  Refinement& operator=(const Refinement&) = delete;

  /// False if the refiner knows another mesh of this id (`PartRefiner::coarseMesh`).
  [[nodiscard]] bool isOf(PartId part, const TriangleMesh& mesh) const;
  /// Returns the solid of the part's `PartRefiner::refine`, or null if the part has no exact shape.
  /// `chordError` is rounded down to a power of two, so that more pairs can share the solid. Throws as
  /// `PartRefiner::refine`, and NotBuiltError like `SolidModel::build`.
  [[nodiscard]] std::shared_ptr<const SolidModel> solid(PartId part, std::span<const SurfaceId> faces,
                                                        double chordError, const Progress& progress = {});
  /// Numbers of meshes that were made, and of their triangles, for statistics.
  struct Statistics {
    std::size_t meshes = 0, triangles = 0;
  };
  [[nodiscard]] Statistics statistics() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fitup
