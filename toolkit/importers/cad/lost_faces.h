#pragma once

#include <XSControl_WorkSession.hxx>

#include <string>
#include <vector>

#include <fitup/io/model_file.h>

namespace fitup::importers {

/// The faces of a file that was read and transferred of which the library made no shape: their labels ("#12"
/// in STEP, "D7" in IGES), in the file's order.
std::vector<std::string> lostFaces(const Handle(XSControl_WorkSession) & session);

/// Warns of each by its label, up to a number that can be read.
void warnOfLostFaces(const std::vector<std::string>& labels, const std::string& fileName,
                     std::vector<ImportWarning>& warnings);

}  // namespace fitup::importers
