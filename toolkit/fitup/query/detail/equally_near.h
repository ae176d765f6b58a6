#pragma once

namespace fitup::detail {

/// Boundary points count as equally near to a point if their distances differ by at most this share.
constexpr double equallyNear = 1.0 / 16;

}  // namespace fitup::detail
