#pragma once

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// Where a box is split across its longest axis (van den Bergen 1998, section 2).
enum class AabbSplit {
  middle,        ///< at the box's middle, by the middle of each triangle's projection: his choice
  balanced,      ///< into halves; rejected by him
  halfBalanced,  ///< the larger group at most twice the smaller, projections overlapping least; rejected by
                 ///< him
};

}  // namespace fitup
