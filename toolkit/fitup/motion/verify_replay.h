#pragma once

#include <fitup/motion/replay.h>
#include <fitup/scene/verify.h>

namespace FITUP_EXPORT fitup {

/// Verifies the result of `replay` with the same arguments, step by step: every moved instance against all
/// resting ones and against those of groups that do not move together with it. Throws as `replay`.
VerificationReport verifyReplay(const Scene& scene, const Poses& poses, const Track& track,
                                const ReplayOptions& asked, const ReplayReport& answer,
                                const VerifyOptions& options = {}, const Progress& progress = {});

}  // namespace fitup
