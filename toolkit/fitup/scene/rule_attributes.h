#pragma once

#include <fitup/base/progress.h>
#include <fitup/scene/poses.h>
#include <fitup/scene/rules.h>
#include <fitup/scene/scene.h>

namespace FITUP_EXPORT fitup {

/// Determines what rules with attributes match in a scene (`Rules::resolved`). Fasteners are recognised at
/// the given poses; a pair then remains a fastener wherever its parts move. Rules without attributes are
/// returned as they are. Throws CancelledError.
Rules resolveAttributes(Rules rules, const Scene& scene, const Poses& poses, double millimetresPerUnit,
                        const Progress& progress = {});

}  // namespace fitup
