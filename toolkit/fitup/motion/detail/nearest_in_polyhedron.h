#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace fitup::detail {

/// A point of at most six dimensions; unused ones are zero.
using Point6 = std::array<double, 6>;

/// The points y with normal . y >= least. The normal has any length.
struct HalfSpace {
  Point6 normal{};
  double least = 0;
};

/// The point of a polyhedron nearest to a given one.
struct NearestInPolyhedron {
  /// A half-space whose border holds the point back: wanted + sum of multiplier * normal is the point.
  struct Active {
    std::size_t row = 0;
    double multiplier = 0;  ///< above 0
  };

  Point6 point{};
  std::vector<Active> active;  ///< linearly independent, so at most six; in ascending order of the rows
  /// False if no point keeps all rows within the tolerance; `point` and `active` then mean nothing.
  bool isFeasible = true;
};

/// Finds the point nearest to `wanted` that keeps every row up to `tolerance`, a distance from its border.
///
/// The method is the dual one of Goldfarb and Idnani (A numerically stable dual method for solving strictly
/// convex quadratic programs, 1983), for the identity as matrix: the row that is violated most enters, and
/// rows whose multipliers would become negative leave. Each entry increases the distance from `wanted`, so no
/// set of active rows comes twice. Redundant, equal and parallel rows do no harm: a row enters only while it
/// is violated, and one that depends on the active rows only in exchange. With at most six active rows, their
/// factors are computed anew at each change, which leaves no errors behind.
///
/// Deterministic: of equally violated rows the first one enters. Precondition: all numbers are finite.
NearestInPolyhedron nearestInPolyhedron(const Point6& wanted, std::span<const HalfSpace> rows,
                                        double tolerance);

}  // namespace fitup::detail
