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

/// A part at a place.
struct PlacedPart {
  std::shared_ptr<const TriangleMesh> mesh;
  Transform worldFromPart;
};

/// What it takes time to know of parts. World, in the assembly's unit.
struct SolidFacts {
  Box bounds;       ///< of the triangles, not of their boxes
  double area = 0;  ///< of all triangles
  /// Sum over the parts, cavities subtracted, whatever they have in common; nothing unless all are closed.
  std::optional<double> volume;
  std::size_t closedParts = 0, parts = 0;
  std::string watertightness;  ///< of a single part, as `text(Watertightness)`
};

/// Finds the facts, and keeps for the next question what does not depend on where parts stand. One thread.
class SolidFactsFinder {
 public:
  /// Nothing if it was cancelled.
  std::optional<SolidFacts> find(const std::vector<PlacedPart>& parts, const Progress& progress = {});

 private:
  struct OfMesh {
    double area = 0, volume = 0;
    bool closed = false;
    std::string watertightness;
  };
  const OfMesh& ofMesh(const TriangleMesh& mesh);

  std::map<std::uint64_t, OfMesh> known_;  ///< by the mesh's content
};

}  // namespace fitup::viewer
