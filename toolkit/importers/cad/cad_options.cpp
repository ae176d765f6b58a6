#include "cad_options.h"

#include <BRepBndLib.hxx>
#include <Bnd_Box.hxx>

#include <algorithm>
#include <cmath>

namespace fitup::importers {

Deflection deflectionFor(const TopoDS_Shape& part, const CadOptions& options) {
  Deflection deflection = options.deflection;
  if (!(options.relativeDeflection > 0) || part.IsNull()) return deflection;
  Bnd_Box box;
  BRepBndLib::Add(part, box, Standard_False);  // box of the exact shape, whatever triangles it has
  if (box.IsVoid()) return deflection;
  // The extent of a damaged part may be any number.
  const double share = options.relativeDeflection * std::sqrt(box.SquareExtent());
  if (share > 0 && std::isfinite(share))
    deflection.linear = std::min(deflection.linear, std::max(share, 1e-5));
  return deflection;
}

}  // namespace fitup::importers
