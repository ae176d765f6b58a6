#pragma once

#include <string_view>
#include <vector>

#include <fitup/io/model_file.h>

#include "part21_entities.h"

namespace fitup::importers {

/// Counts the product and manufacturing information of a STEP file (drawn annotations, and tolerances and
/// dimensions by meaning) in one warning. It is not geometry and is not read.
void warnOfPmi(std::string_view text, const Part21Entities& entities, std::vector<ImportWarning>& warnings);

}  // namespace fitup::importers
