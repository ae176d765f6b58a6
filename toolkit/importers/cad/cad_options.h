#pragma once

#include <TopoDS_Shape.hxx>

#include <string>

#include <fitup/mesh/triangle_mesh.h>

namespace fitup::importers {

/// Options of the conversion of a CAD file to meshes.
struct CadOptions {
  Deflection deflection;
  unsigned threads = 0;           ///< 0: one for each core; the result does not depend on it
  double relativeDeflection = 0;  ///< largest chord error as a share of a part's extent; 0: no such bound
  bool mergeSolids = false;       ///< one part for each product, however many solids it has
  std::string encoding;  ///< encoding of names in STEP files, one of `textEncodings`; empty: detected
};

/// Returns the deflection for the tessellation of this part.
Deflection deflectionFor(const TopoDS_Shape& part, const CadOptions& options);

}  // namespace fitup::importers
