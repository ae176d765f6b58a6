#pragma once

#include <memory>
#include <span>

#include <fitup/base/progress.h>
#include <fitup/mesh/triangle_mesh.h>
#include <fitup/scene/assembly.h>

namespace FITUP_EXPORT fitup {

/// A source of finer meshes of the parts of an assembly (`fitup/io/shape_refiner.h`). Thread-safe.
class PartRefiner {
 public:
  virtual ~PartRefiner() = default;
  /// True if the part has an exact shape, from which finer meshes can be made.
  [[nodiscard]] virtual bool canRefine(PartId part) const = 0;
  /// The mesh that finer ones of the part stand for. A check that has another mesh under this id, for example
  /// after an edit of the scene, does not ask for finer ones. Null: every mesh is taken to be that of the
  /// part.
  [[nodiscard]] virtual const TriangleMesh* coarseMesh(PartId /*part*/) const { return nullptr; }
  /// Returns a mesh of the part with the same surfaces, in which `faces` (ascending) have chord errors
  /// (`TriangleMesh::chordErrorOf`) of at most `chordError`, in the part's unit, or as small as the source
  /// gets them. The mesh depends on the arguments only, not on earlier calls. Precondition: `canRefine`.
  /// Throws Error if the mesh cannot be made, and CancelledError.
  [[nodiscard]] virtual std::shared_ptr<const TriangleMesh> refine(PartId part,
                                                                   std::span<const SurfaceId> faces,
                                                                   double chordError,
                                                                   const Progress& progress) = 0;

 protected:
  PartRefiner() = default;
  PartRefiner(const PartRefiner&) = default;
  PartRefiner& operator=(const PartRefiner&) = default;
};

}  // namespace fitup
