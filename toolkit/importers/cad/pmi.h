#pragma once

#include <string_view>
#include <vector>

#include <fitup/io/model_file.h>

#include "part21_entities.h"

namespace fitup::importers {

/// Counts what a STEP file holds of product and manufacturing information, which is no geometry and not read,
/// in one warning: annotations as they are drawn, tolerances and dimensions as they are meant.
void warnOfPmi(std::string_view text, const Part21Entities& entities, std::vector<ImportWarning>& warnings);

}  // namespace fitup::importers
