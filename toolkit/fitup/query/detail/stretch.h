#pragma once

#include <fitup/geometry/transform.h>

namespace fitup::detail {

/// The largest factor by which a placement stretches a length, from above: the root of the largest eigenvalue
/// of transpose(m) * m.
double stretchOf(const Transform& f);

}  // namespace fitup::detail
