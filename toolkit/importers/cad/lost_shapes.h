#pragma once

#include <XSControl_WorkSession.hxx>

#include <string>
#include <vector>

#include <fitup/io/model_file.h>

namespace fitup::importers {

/// Warns of each solid and face of a file that was read and transferred of which the library made no shape,
/// by its label ("#12" in STEP, "D7" in IGES), up to a number that can be read. `fileName` stands before it
/// unless empty.
void warnOfLostShapes(const Handle(XSControl_WorkSession) & session, const std::string& fileName,
                      std::vector<ImportWarning>& warnings);

}  // namespace fitup::importers
