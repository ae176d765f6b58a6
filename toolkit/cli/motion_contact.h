#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fitup/motion/certify.h>

namespace fitup::cli {

/// Prints the event that ends a motion: when it is, of how many steps, and the nearest faces. `what`
/// describes a contact: "first in contact".
void sayMotionContact(const Assembly& assembly, const MotionContact& contact, const std::string& what,
                      double resolution, std::size_t lastStep);

/// Prints a title and pairs of instances below it, if there are any.
void sayPairs(const Assembly& assembly, const char* title,
              const std::vector<std::pair<NodeId, NodeId>>& pairs);

/// Prints what is certain of a motion, and what ends it. Geometry may be missing from the model.
void sayCertified(const Assembly& assembly, const CertifyReport& report, bool isGeometryMissing);

}  // namespace fitup::cli
