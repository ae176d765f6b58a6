#pragma once

#include <optional>
#include <string>

#include <fitup/io/model_file.h>
#include <fitup/scene/clearance.h>

namespace fitup {

/// A report of distances as JSON (docs/formats/distance.md), numbers in the C locale with all their digits.
/// `clearance` is the one that was asked for, if any.
std::string clearanceJson(const std::string& program, const std::string& modelFile, const Model& model,
                          std::optional<double> clearance, const ClearanceReport& report);

}  // namespace fitup
