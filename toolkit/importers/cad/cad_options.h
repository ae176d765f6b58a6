#pragma once

#include <TopoDS_Shape.hxx>

#include <string>

#include <fitup/mesh/triangle_mesh.h>

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

/// The deflection that a part of this shape is tessellated with.
Deflection deflectionFor(const TopoDS_Shape& part, const CadOptions& options);

}  // namespace fitup::importers
