#include <fitup/motion/detail/nearest_in_polyhedron.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace fitup::detail {
namespace {

constexpr std::size_t dimensions = 6;
/// The sine of the angle between a row and the span of the active rows below which it counts as one of their
/// combinations. Larger: rows that differ only by rounding exchange instead of sending the point far away.
/// Smaller: sharper corners are resolved.
constexpr double dependent = 1e-7;
constexpr std::size_t none = static_cast<std::size_t>(-1);

double dot(const Point6& a, const Point6& b) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < dimensions; ++i) sum += a[i] * b[i];
  return sum;
}
void addTo(Point6& to, double factor, const Point6& what) noexcept {
  for (std::size_t i = 0; i < dimensions; ++i) to[i] += factor * what[i];
}

/// The active rows as Q R: column k is the sum over i <= k of R[i][k] Q[i], with orthonormal Q.
class ActiveRows {
 public:
  [[nodiscard]] std::size_t count() const noexcept { return rows_.size(); }
  [[nodiscard]] std::size_t row(std::size_t k) const noexcept { return rows_[k]; }

  void add(std::size_t row, const Point6& normal) {
    const Split split = splitOf(normal);
    const std::size_t k = rows_.size();
    for (std::size_t i = 0; i < k; ++i) r_[i][k] = split.along[i];
    r_[k][k] = split.length;
    q_[k] = split.across;
    for (double& v : q_[k]) v /= split.length;
    rows_.push_back(row);
    normals_.push_back(normal);
  }
  void remove(std::size_t k) {
    const std::vector<std::size_t> rows = rows_;
    const std::vector<Point6> normals = normals_;
    rows_.clear();
    normals_.clear();
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (i != k) add(rows[i], normals[i]);
  }

  /// A normal as the sum of its parts along each Q and of `across`, which is orthogonal to all.
  struct Split {
    Point6 along{}, across{};
    double length = 0;  ///< of `across`
  };
  [[nodiscard]] Split splitOf(const Point6& normal) const noexcept {
    Split split{{}, normal, 0};
    // The second pass removes what rounding left of the first (Kahan, "twice is enough").
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const double along = dot(q_[i], split.across);
        split.along[i] += along;
        addTo(split.across, -along, q_[i]);
      }
    split.length = std::sqrt(dot(split.across, split.across));
    return split;
  }
  /// x with R x = v.
  [[nodiscard]] Point6 solved(Point6 v) const noexcept {
    for (std::size_t k = rows_.size(); k-- > 0;) {
      for (std::size_t j = k + 1; j < rows_.size(); ++j) v[k] -= r_[k][j] * v[j];
      v[k] /= r_[k][k];
    }
    return v;
  }
  /// x with transpose(R) x = v.
  [[nodiscard]] Point6 solvedTransposed(Point6 v) const noexcept {
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      for (std::size_t j = 0; j < k; ++j) v[k] -= r_[j][k] * v[j];
      v[k] /= r_[k][k];
    }
    return v;
  }

 private:
  std::vector<std::size_t> rows_;
  std::vector<Point6> normals_;
  std::array<Point6, dimensions> q_{}, r_{};
};

class Search {
 public:
  Search(const Point6& wanted, std::span<const HalfSpace> rows, double tolerance)
      : wanted_(wanted), tolerance_(tolerance), point_(wanted) {
    units_.reserve(rows.size());
    for (const HalfSpace& row : rows) {
      const double length = std::sqrt(dot(row.normal, row.normal));
      lengths_.push_back(length);
      HalfSpace unit;
      if (length > 0) {
        unit = row;
        for (double& v : unit.normal) v /= length;
        unit.least /= length;
      } else {
        // It holds everywhere or nowhere.
        unit.least = row.least > 0 ? std::numeric_limits<double>::infinity() : 0;
      }
      units_.push_back(unit);
    }
  }

  NearestInPolyhedron run() {
    NearestInPolyhedron result;
    while (const std::optional<std::size_t> row = mostViolated())
      if (!enter(*row)) {
        result.isFeasible = false;
        break;
      }
    result.point = point_;
    for (std::size_t k = 0; k < active_.count(); ++k)
      if (multipliers_[k] > 0)
        result.active.push_back({active_.row(k), multipliers_[k] / lengths_[active_.row(k)]});
    std::ranges::sort(result.active, {}, &NearestInPolyhedron::Active::row);
    return result;
  }

 private:
  [[nodiscard]] double violation(std::size_t row) const noexcept {
    return units_[row].least - dot(units_[row].normal, point_);
  }
  [[nodiscard]] std::optional<std::size_t> mostViolated() const noexcept {
    double most = tolerance_;
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < units_.size(); ++i)
      if (const double v = violation(i); v > most) {
        most = v;
        found = i;
      }
    return found;
  }

  /// Makes a violated row active. Returns false if that is not possible.
  bool enter(std::size_t row) {
    const Point6& normal = units_[row].normal;
    if (!(units_[row].least < std::numeric_limits<double>::infinity())) return false;
    double multiplier = 0;
    while (true) {
      const ActiveRows::Split split = active_.splitOf(normal);
      const Point6 r = active_.solved(split.along);
      std::size_t leaving = none;
      double partial = std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < active_.count(); ++k)
        if (r[k] > 0 && multipliers_[k] / r[k] < partial) {
          partial = multipliers_[k] / r[k];
          leaving = k;
        }
      const bool isFree = split.length > dependent && active_.count() < dimensions;
      const double full =
          isFree ? violation(row) / (split.length * split.length) : std::numeric_limits<double>::infinity();
      if (!isFree && leaving == none) return false;
      const double step = std::max(0.0, std::min(partial, full));
      if (isFree) addTo(point_, step, split.across);
      multiplier += step;
      for (std::size_t k = 0; k < active_.count(); ++k)
        multipliers_[k] = std::max(0.0, multipliers_[k] - step * r[k]);
      if (full <= partial) {
        active_.add(row, normal);
        multipliers_[active_.count() - 1] = multiplier;
        placeOnBorders();
        return true;
      }
      active_.remove(leaving);
      std::copy(multipliers_.begin() + static_cast<std::ptrdiff_t>(leaving) + 1, multipliers_.end(),
                multipliers_.begin() + static_cast<std::ptrdiff_t>(leaving));
    }
  }

  /// Computes the point and the multipliers from the active rows alone.
  void placeOnBorders() {
    Point6 lacks{};
    for (std::size_t k = 0; k < active_.count(); ++k) {
      const HalfSpace& unit = units_[active_.row(k)];
      lacks[k] = unit.least - dot(unit.normal, wanted_);
    }
    const Point6 along = active_.solvedTransposed(lacks);
    point_ = wanted_;
    const Point6 exact = active_.solved(along);
    for (std::size_t k = 0; k < active_.count(); ++k) {
      multipliers_[k] = std::max(0.0, exact[k]);
      addTo(point_, multipliers_[k], units_[active_.row(k)].normal);
    }
  }

  Point6 wanted_;
  double tolerance_;
  std::vector<HalfSpace> units_;  ///< with normals of unit length
  std::vector<double> lengths_;
  Point6 point_;
  ActiveRows active_;
  Point6 multipliers_{};
};

}  // namespace

NearestInPolyhedron nearestInPolyhedron(const Point6& wanted, std::span<const HalfSpace> rows,
                                        double tolerance) {
  return Search(wanted, rows, tolerance).run();
}

}  // namespace fitup::detail
