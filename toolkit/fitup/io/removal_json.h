#pragma once

#include <string>

#include <fitup/planning/removal.h>

namespace FITUP_EXPORT fitup {

/// A search for a way out as JSON (docs/reference/way-out.md). `program` and `model` name the program and the
/// file.
std::string removalJsonText(const std::string& program, const std::string& model, const Assembly& assembly,
                            const RemovalReport& report);

}  // namespace fitup
