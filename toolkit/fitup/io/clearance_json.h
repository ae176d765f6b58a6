#pragma once

#include <optional>
#include <string>

#include <fitup/io/model_file.h>
#include <fitup/motion/first_contact.h>
#include <fitup/scene/clearance.h>

namespace FITUP_EXPORT fitup {

/// A report of distances as JSON (docs/reference/distance.md). Numbers are in the C locale with all digits.
/// `clearance` is the requested one, if any.
std::string clearanceJsonText(const std::string& program, const std::string& modelFile, const Model& model,
                              std::optional<double> clearance, const ClearanceReport& report);

/// A search for the first contact as JSON (docs/reference/distance.md), with the poses of the track's paths
/// at the contact.
std::string firstContactJsonText(const std::string& program, const std::string& modelFile, const Model& model,
                                 const Track& track, const FirstContactReport& report);

}  // namespace fitup
