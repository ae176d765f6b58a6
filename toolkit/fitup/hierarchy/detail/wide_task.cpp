#include <fitup/hierarchy/detail/wide_task.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fitup/geometry/aabb.h>

namespace fitup::detail {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

double reach(const Aabb& box) {
  const auto largest = [](float a, float b) { return std::max(std::abs(double(a)), std::abs(double(b))); };
  return norm({largest(box.min.x, box.max.x), largest(box.min.y, box.max.y), largest(box.min.z, box.max.z)});
}

double frobenius(const Matrix& m) {
  double sum = 0;
  for (const auto& row : m)
    for (double v : row) sum += v * v;
  return std::sqrt(sum);
}

WideWay way(const Transform& f) {
  WideWay r{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      r.m[i][j] = static_cast<float>(f.m[i][j]);
      r.absolute[i][j] = std::abs(r.m[i][j]);
    }
    r.t[i] = static_cast<float>(f.t[static_cast<int>(i)]);
  }
  return r;
}

/// The bound `relative` S, or infinity where sums of 32-bit numbers could overflow. What underflow loses is
/// below 2^-140.
float errorOf(double size, const Matrix& m, double relative, double further = 0) {
  constexpr double safe = 0x1p120;
  if (!(size < safe) || !(frobenius(m) < safe)) return std::numeric_limits<float>::infinity();
  return floatAbove(size * relative + further + 0x1p-140);
}

}  // namespace

WideQuery prepareWideQuery(const TraversalTask& task) {
  const Transform &forth = task.placement.aFromB, &back = task.placement.bFromA;
  WideQuery query;
  query.untilted = {way(forth), way(back)};
  query.orthogonal = forth.kind() != TransformKind::affine;
  const double a = reach(task.a.bounds()), b = reach(task.b.bounds());
  const double size = frobenius(forth.m) * b + norm(forth.t) + a;
  const double sizeInB = frobenius(back.m) * a + norm(back.t) + b;
  const Vec3& inflation = task.placement.inflationInB;
  query.slackInA = errorOf(size, forth.m, 0x1p-18);
  // Carried back, the inverse is not exact: its residual is part of the pair's inflation, |inflation|_2 in
  // the axes of a node.
  query.slackInB = errorOf(sizeInB, back.m, 0x1p-18, 2 * std::max({inflation.x, inflation.y, inflation.z}));
  query.cornerError = errorOf(size, forth.m, 0x1p-21);
  query.vectorTriangles = size < 0x1p38;
  return query;
}

}  // namespace fitup::detail
