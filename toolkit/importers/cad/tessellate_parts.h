#pragma once

#include <deque>
#include <string>
#include <vector>

#include "importer_main.h"
#include "tessellate.h"

namespace fitup::importers {

/// How a CAD file becomes meshes.
struct CadOptions {
  Deflection deflection;
  unsigned threads = 0;  ///< 0: one for each core; the result does not depend on it
  double relativeDeflection =
      0;                     ///< share of a part's extent that its chord error is at most; 0: no such bound
  bool mergeSolids = false;  ///< a part for each product, however many solids it has
  std::string encoding;      ///< of names in STEP files, one of `textEncodings`; empty: found out
};

struct TessellatedPart {
  TriangleMesh mesh;
  ExactShape exactShape;
};

/// The meshes of parts, in their order, and what they were made from, made on `options.threads` threads; they
/// and the warnings, which are in the order of the parts, do not depend on the number. Parts that share faces
/// or edges, in which Open CASCADE keeps the triangles while it works, are tessellated one after the other.
/// Throws as `tessellate`, for the first part that fails.
std::vector<TessellatedPart> tessellateParts(const std::deque<PartShape>& parts, const CadOptions& options,
                                             std::vector<ImportWarning>& warnings, ProgressLines& progress);

}  // namespace fitup::importers
