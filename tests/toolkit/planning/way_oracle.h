#pragma once

#include <cstddef>
#include <string>

#include <fitup/planning/removal.h>

namespace fitup::test {

/// Replays a way in many poses, with queries of depth and distance that know nothing of certificates. Returns
/// what breaks a limit first, or nothing.
std::string problemOnWay(const Scene& scene, const RemovalReport& report, const RemovalOptions& options,
                         std::size_t samples);

/// Checks a way that is certain: it is confirmed by the checker of certificates, ends outside, and passes
/// `problemOnWay`.
void requireWay(const Scene& scene, const RemovalReport& report, const RemovalOptions& options,
                std::size_t samples = 2000);

}  // namespace fitup::test
