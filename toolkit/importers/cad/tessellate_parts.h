#pragma once

#include <deque>
#include <string>
#include <vector>

#include "cad_options.h"
#include "early_tessellation.h"
#include "importer_main.h"
#include "tessellate.h"

namespace fitup::importers {

struct TessellatedPart {
  TriangleMesh mesh;
  ExactShape exactShape;
};

/// Makes the meshes of parts, in their order, together with their sources, on `options.threads` threads. The
/// results and the warnings, which are in the order of the parts, do not depend on the number of threads.
/// Parts that share faces or edges, in which Open CASCADE keeps the triangles while it works, are tessellated
/// one after the other. Throws like `tessellate`, for the first part that fails.
std::vector<TessellatedPart> tessellateParts(const std::deque<PartShape>& parts, const CadOptions& options,
                                             EarlyTessellation* early, std::vector<ImportWarning>& warnings,
                                             ProgressLines& progress);

}  // namespace fitup::importers
