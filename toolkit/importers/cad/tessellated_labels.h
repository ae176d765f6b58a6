#pragma once

#include <STEPCAFControl_Reader.hxx>

#include <map>
#include <set>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>

#include "tessellated_products.h"

namespace fitup::importers {

/// By the entries of the labels of products in a document.
using TessellatedBodies = std::map<std::string, std::vector<TessellatedBody>>;

/// The products' labels in the document into which `reader` has transferred the file of `tessellation`.
/// `occurrences` as `occurrencesIn`. Of a product that has faces of exact geometry the tessellated ones are
/// left out, which a warning says: an incomplete one where they reach out of the exact shape's box, and so
/// cannot stand for it.
TessellatedBodies labelled(StepTessellation tessellation, STEPCAFControl_Reader& reader,
                           const std::set<std::string>& occurrences, std::vector<ImportWarning>& warnings);

}  // namespace fitup::importers
