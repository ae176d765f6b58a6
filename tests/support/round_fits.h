#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include <fitup/scene/interference.h>
#include <fitup/scene/part_refiner.h>

#include "support/analytic_solids.h"

namespace fitup::test {

/// Makes finer tubes for some parts. Counts what it is asked for.
class TubeRefiner : public PartRefiner {
 public:
  struct Tube {
    double outer, inner, height;
    /// The mesh with a chord error of at most `error`, which it states.
    [[nodiscard]] MeshPtr mesh(double error) const;
  };
  /// Adds a tube whose coarse mesh has this number of segments.
  PartId addTo(Assembly& assembly, const Tube& tube, std::uint32_t segments);

  [[nodiscard]] bool canRefine(PartId part) const override { return index(part) < tubes_.size(); }
  [[nodiscard]] const TriangleMesh* coarseMesh(PartId part) const override {
    return canRefine(part) ? coarse_[index(part)].get() : nullptr;
  }
  [[nodiscard]] std::shared_ptr<const TriangleMesh> refine(PartId part, std::span<const SurfaceId> faces,
                                                           double chordError,
                                                           const Progress& progress) override;

  std::atomic<std::size_t> asked{0};
  /// While it is set, `refine` waits until it is cancelled, as a slow importer does.
  std::atomic<bool> isStuck{false};
  std::atomic<std::size_t> cancelled{0};

 private:
  std::vector<Tube> tubes_;
  std::vector<MeshPtr> coarse_;
};

/// Pins in bores, one fit beside the other: all of them clash by the triangles, whatever their fit. Rings are
/// named ring0, ring1 ..., pins pin0, pin1 ...
struct RoundFits {
  static constexpr double tolerance = 0.02;
  /// The clearances on the radius.
  explicit RoundFits(const std::vector<double>& clearances);
  /// Verdicts on the exact shapes, at the tolerance.
  [[nodiscard]] InterferenceOptions options() const;
  /// The same on the triangles.
  [[nodiscard]] static InterferenceOptions ofTriangles(InterferenceOptions options);

  std::shared_ptr<TubeRefiner> refiner = std::make_shared<TubeRefiner>();
  std::shared_ptr<Refinement> refinement = std::make_shared<Refinement>(refiner);
  Assembly assembly{"fits"};
  Scene scene;
  std::vector<NodeId> rings, pins;
};

}  // namespace fitup::test
