#pragma once

#include <QString>

#include <fitup/scene/assembly.h>
#include <fitup/scene/rules.h>

namespace fitup::viewer {

/// "only pairs with 3 parts", "only pairs among 3 parts": what a check is narrowed to; empty where it is not.
QString scopeText(const Assembly& assembly, const Rules& rules);

}  // namespace fitup::viewer
