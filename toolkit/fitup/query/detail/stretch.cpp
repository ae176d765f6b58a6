#include <fitup/query/detail/stretch.h>

#include <algorithm>
#include <cmath>

#include <fitup/geometry/symmetric_eigen.h>

namespace fitup::detail {

double stretchOf(const Transform& f) {
  if (f.kind() != TransformKind::affine) return 1;
  const auto product = [&](std::size_t i, std::size_t j) {
    return f.m[0][i] * f.m[0][j] + f.m[1][i] * f.m[1][j] + f.m[2][i] * f.m[2][j];
  };
  const auto values = symmetricEigen({product(0, 0), product(1, 1), product(2, 2), product(0, 1),
                                      product(0, 2), product(1, 2)})
                          .values;
  // The rotations stop when the off-diagonal rest is 1e-12 of the diagonal.
  return std::sqrt(std::max({values[0], values[1], values[2]})) * (1 + 1e-11);
}

}  // namespace fitup::detail
