#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/scene/assembly.h>

namespace fitup::viewer {

/// A part in a placement.
struct PlacedPart {
  std::shared_ptr<const TriangleMesh> mesh;
  Transform worldFromPart;
};

/// Facts about parts that take time to compute. World coordinates, in the assembly's unit.
struct SolidFacts {
  Box bounds;       ///< box of the triangles, not of their boxes
  double area = 0;  ///< area of all triangles
  /// The sum over the parts, without cavities; regions in several parts count several times. Empty unless all
  /// parts are watertight.
  std::optional<double> volume;
  std::size_t closedParts = 0, parts = 0;
  std::string watertightness;  ///< for a single part, as `text(SolidModel)`
};

/// Computes the facts, and keeps those that do not depend on placements. Use it from one thread.
class SolidFactsFinder {
 public:
  /// Empty if it was cancelled.
  std::optional<SolidFacts> find(const std::vector<PlacedPart>& parts, const Progress& progress = {});

 private:
  struct OfMesh {
    double area = 0, volume = 0;
    bool closed = false;
    std::string watertightness;
  };
  const OfMesh& ofMesh(const std::shared_ptr<const TriangleMesh>& mesh);

  std::map<std::uint64_t, OfMesh> known_;  ///< by the mesh's content
};

}  // namespace fitup::viewer
