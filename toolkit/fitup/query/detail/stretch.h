#pragma once

#include <fitup/geometry/transform.h>

namespace fitup::detail {

/// Upper bound on the factor by which a placement stretches a length: the root of the largest eigenvalue of
/// transpose(m) * m.
double stretchOf(const Transform& f);

}  // namespace fitup::detail
