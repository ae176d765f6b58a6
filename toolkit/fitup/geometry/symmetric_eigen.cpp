#include <fitup/geometry/symmetric_eigen.h>

#include <cmath>
#include <cstddef>

namespace fitup {

Eigen3 symmetricEigen(const Symmetric3& s) noexcept {
  double a[3][3] = {{s[0], s[3], s[4]}, {s[3], s[1], s[5]}, {s[4], s[5], s[2]}};
  Eigen3 r{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {}};
  for (int sweep = 0; sweep < 8; ++sweep) {
    const double off = std::abs(a[0][1]) + std::abs(a[0][2]) + std::abs(a[1][2]);
    if (!(off > 1e-12 * (std::abs(a[0][0]) + std::abs(a[1][1]) + std::abs(a[2][2])))) break;
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta >= 0 ? 1.0 : -1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), sine = t * c;
        for (int k = 0; k < 3; ++k) {
          const double kp = a[k][p], kq = a[k][q];
          a[k][p] = c * kp - sine * kq;
          a[k][q] = sine * kp + c * kq;
        }
        for (int k = 0; k < 3; ++k) {
          const double pk = a[p][k], qk = a[q][k];
          a[p][k] = c * pk - sine * qk;
          a[q][k] = sine * pk + c * qk;
          const auto row = static_cast<std::size_t>(k);
          const double rp = r.rows[static_cast<std::size_t>(p)][row],
                       rq = r.rows[static_cast<std::size_t>(q)][row];
          r.rows[static_cast<std::size_t>(p)][row] = c * rp - sine * rq;
          r.rows[static_cast<std::size_t>(q)][row] = sine * rp + c * rq;
        }
      }
  }
  r.values = {a[0][0], a[1][1], a[2][2]};
  return r;
}

}  // namespace fitup
