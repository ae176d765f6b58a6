#pragma once

#include <memory>
#include <span>

#include <fitup/io/model_file.h>
#include <fitup/io/read_assembly.h>
#include <fitup/scene/part_refiner.h>

namespace FITUP_EXPORT fitup {

/// Makes finer meshes from the exact shapes of a model (`Model::exactShapes`), by importers that it starts
/// when they are needed and keeps: one for each thread that asks at the same time.
///
/// The importers are confined like those that read files, because an exact shape may come from a model file
/// of somebody else. It is not believed to be that of the part: `refine` throws ImportError for a mesh with
/// another number of surfaces, or one whose box differs by more than the chord errors.
class ShapeRefiner : public PartRefiner {
 public:
  /// Keeps meshes and exact shapes of the model. Of the options, those of importers apply.
  explicit ShapeRefiner(const Model& model, const ReadOptions& options = {});
  ~ShapeRefiner() override;
  /// About the largest mesh that is made. Faces that are curved in both directions need as many times more
  /// triangles as their chord error is smaller; `refine` throws ImportError where there would be too many.
  static constexpr std::size_t mostTriangles = 300'000;
  ShapeRefiner(const ShapeRefiner&) = delete;
  ShapeRefiner& operator=(const ShapeRefiner&) = delete;

  [[nodiscard]] bool canRefine(PartId part) const override;
  [[nodiscard]] const TriangleMesh* coarseMesh(PartId part) const override;
  [[nodiscard]] std::shared_ptr<const TriangleMesh> refine(PartId part, std::span<const SurfaceId> faces,
                                                           double chordError,
                                                           const Progress& progress) override;

 private:
  [[nodiscard]] std::shared_ptr<const TriangleMesh> make(PartId part, std::span<const SurfaceId> faces,
                                                         double chordError, const Progress& progress);
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fitup
