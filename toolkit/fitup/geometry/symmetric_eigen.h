#pragma once

#include <array>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// A symmetric 3 x 3 matrix, stored as xx, yy, zz, xy, xz, yz.
using Symmetric3 = std::array<double, 6>;

/// Eigenvectors of a symmetric matrix as orthonormal rows, and the eigenvalues in the same order.
struct Eigen3 {
  std::array<std::array<double, 3>, 3> rows;
  std::array<double, 3> values;
};

/// Computes eigenvectors and eigenvalues by cyclic Jacobi rotations (Golub and Van Loan, section 8.5).
Eigen3 symmetricEigen(const Symmetric3& s) noexcept;

}  // namespace fitup
