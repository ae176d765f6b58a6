#pragma once

#include <QString>

#include <fitup/scene/assembly.h>
#include <fitup/scene/rules.h>

namespace fitup::viewer {

/// Returns the scope of a check as "only pairs with 3 parts" or "only pairs among 3 parts"; empty if it is
/// not narrowed.
QString scopeText(const Assembly& assembly, const Rules& rules);

}  // namespace fitup::viewer
