#pragma once

#include <TDocStd_Document.hxx>
#include <XSControl_WorkSession.hxx>

#include <vector>

#include <fitup/io/model_file.h>

#include "document_labels.h"

namespace fitup::importers {

/// Returns the placements of the solids (type 186) that have a transformation matrix of their own, which Open
/// CASCADE silently ignores; it respects those of faces and groups. `session` has transferred into
/// `document`. An invalid matrix becomes a warning.
Placements placedSolids(const Handle(XSControl_WorkSession) & session,
                        const Handle(TDocStd_Document) & document, std::vector<ImportWarning>& warnings);

}  // namespace fitup::importers
