#pragma once

#include <TDF_Label.hxx>
#include <TopLoc_Location.hxx>

#include <map>
#include <string>

#include <fitup/geometry/transform.h>

namespace fitup::importers {

/// Returns the address of a label in its document, such as "0:1:1:3".
std::string entryOf(const TDF_Label& label);

/// Returns the location as a placement, including its scale and mirroring, if any.
Transform transformOf(const TopLoc_Location& location);

/// `parentFromOccurrence` of the occurrences and free shapes that Open CASCADE places wrongly, by the entries
/// of their labels.
using Placements = std::map<std::string, Transform>;

}  // namespace fitup::importers
