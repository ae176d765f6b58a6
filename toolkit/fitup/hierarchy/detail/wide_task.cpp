#include <fitup/hierarchy/detail/wide_task.h>

#include <algorithm>
#include <cmath>

#include <fitup/geometry/aabb.h>

namespace fitup::detail {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

double reach(const Aabb& box) {
  const auto largest = [](float a, float b) { return std::max(std::abs(double(a)), std::abs(double(b))); };
  return norm(
      {largest(box.min.x, box.max.x), largest(box.min.y, box.max.y), largest(box.min.z, box.max.z)});
}

double frobenius(const Matrix& m) {
  double sum = 0;
  for (const auto& row : m)
    for (double v : row) sum += v * v;
  return std::sqrt(sum);
}

/// f m g^T.
Matrix between(const WideFrame& f, const Matrix& m, const WideFrame& g) {
  Matrix fm, r;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      fm[i][j] = (f.rows[i][0] * m[0][j] + f.rows[i][1] * m[1][j]) + f.rows[i][2] * m[2][j];
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      r[i][j] = (fm[i][0] * g.rows[j][0] + fm[i][1] * g.rows[j][1]) + fm[i][2] * g.rows[j][2];
  return r;
}

WideWay way(const Matrix& m, const WideFrame& f, const Vec3& t) {
  WideWay r;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      r.m[i][j] = static_cast<float>(m[i][j]);
      r.absolute[i][j] = std::abs(r.m[i][j]);
    }
    r.t[i] = static_cast<float>((f.rows[i][0] * t.x + f.rows[i][1] * t.y) + f.rows[i][2] * t.z);
  }
  return r;
}

}  // namespace

WideRelative tilted(const TraversalTask& task, const WideFrame& f, const WideFrame& g) {
  const Transform &forth = task.placement.aFromB, &back = task.placement.bFromA;
  return {way(between(f, forth.m, g), f, forth.t), way(between(g, back.m, f), g, back.t)};
}

WideQuery prepareWideQuery(const TraversalTask& task) {
  static constexpr WideFrame identity{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
  const Transform &forth = task.placement.aFromB, &back = task.placement.bFromA;
  WideQuery query;
  query.untilted = {way(forth.m, identity, forth.t), way(back.m, identity, back.t)};
  const double a = reach(task.a.bounds()), b = reach(task.b.bounds());
  const double size = frobenius(forth.m) * b + norm(forth.t) + a;
  const double sizeInB = frobenius(back.m) * a + norm(back.t) + b;
  const Vec3& inflation = task.placement.inflationInB;
  query.size = floatAbove(size);
  query.slackInA = floatAbove(size * 0x1p-18);
  // Carried back, the inverse is not exact: its residual is part of the pair's inflation.
  query.slackInB =
      floatAbove(sizeInB * 0x1p-18 + 2 * std::max({inflation.x, inflation.y, inflation.z}));
  query.cornerError = floatAbove(size * 0x1p-21);
  query.vectorTriangles = size < 0x1p38;
  return query;
}

}  // namespace fitup::detail
