#pragma once

#include <TDocStd_Document.hxx>
#include <XSControl_WorkSession.hxx>

#include <vector>

#include <fitup/io/model_file.h>

#include "document_labels.h"

namespace fitup::importers {

/// Where the solids (type 186) are that a file places by a transformation matrix of their own, which Open
/// CASCADE passes over without a word; those of faces and groups it follows. `session` has transferred into
/// `document`. A matrix that is none becomes a warning.
Placements placedSolids(const Handle(XSControl_WorkSession) & session,
                        const Handle(TDocStd_Document) & document, std::vector<ImportWarning>& warnings);

}  // namespace fitup::importers
