#pragma once

#include <STEPCAFControl_Reader.hxx>

#include <map>
#include <set>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>

#include "tessellated_products.h"

namespace fitup::importers {

/// By the label entries of products in a document.
using TessellatedBodies = std::map<std::string, std::vector<TessellatedBody>>;

/// Finds the labels of products in the document into which `reader` has transferred the file of
/// `tessellation`. `occurrences` are those of `occurrencesIn`. If a product has faces of exact geometry, its
/// tessellated faces are left out with a warning. The warning is incomplete if they extend beyond the
/// bounding box of the exact shape, and so cannot represent it.
TessellatedBodies labelled(StepTessellation tessellation, STEPCAFControl_Reader& reader,
                           const std::set<std::string>& occurrences, std::vector<ImportWarning>& warnings);

}  // namespace fitup::importers
