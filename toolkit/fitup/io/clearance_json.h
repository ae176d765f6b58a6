#pragma once

#include <optional>
#include <string>

#include <fitup/io/model_file.h>
#include <fitup/motion/first_contact.h>
#include <fitup/scene/clearance.h>

namespace FITUP_EXPORT fitup {

/// A report of distances as JSON (docs/reference/distance.md), numbers in the C locale with all their digits.
/// `clearance` is the one that was asked for, if any.
std::string clearanceJsonText(const std::string& program, const std::string& modelFile, const Model& model,
                              std::optional<double> clearance, const ClearanceReport& report);

/// A search for the first contact as JSON (the same page), with the poses at the contact by the track's
/// paths.
std::string firstContactJsonText(const std::string& program, const std::string& modelFile, const Model& model,
                                 const Track& track, const FirstContactReport& report);

}  // namespace fitup
