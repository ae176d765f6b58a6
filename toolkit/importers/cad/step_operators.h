#pragma once

#include <STEPCAFControl_Reader.hxx>
#include <TDocStd_Document.hxx>

#include <vector>

#include <fitup/io/model_file.h>

#include "document_labels.h"

namespace fitup::importers {

/// Returns the placements of occurrences that a file places by a CARTESIAN_TRANSFORMATION_OPERATOR_3D (ISO
/// 10303-42) which mirrors or scales. Open CASCADE silently takes its first and third axis for those of a
/// rotation. Operators that do not place an occurrence (those of mapped items) become warnings. `reader` has
/// transferred into `document`.
Placements mirroredAndScaled(STEPCAFControl_Reader& reader, const Handle(TDocStd_Document) & document,
                             std::vector<ImportWarning>& warnings);

}  // namespace fitup::importers
