#pragma once

#include <XSControl_WorkSession.hxx>

#include <cstddef>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>

namespace fitup::importers {

/// Warns about each solid and face of a file that was read and transferred but has no shape in the library,
/// by its label ("#12" in STEP, "D7" in IGES). The number of warnings is limited. `fileName` precedes the
/// label unless it is empty.
void warnOfLostShapes(const Handle(XSControl_WorkSession) & session, const std::string& fileName,
                      std::vector<ImportWarning>& warnings);

/// Warns that a file declares `declared` solids or faces (`what`, plural) and that only `transferred` of them
/// arrived, if these are fewer.
void warnOfLoss(const char* what, std::size_t declared, std::size_t transferred,
                std::vector<ImportWarning>& warnings);

}  // namespace fitup::importers
