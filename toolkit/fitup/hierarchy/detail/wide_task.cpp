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

double WideHistory::movedSince(const Transform& now) const noexcept {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  if (!hasFront) return unknown;
  Matrix turned;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) turned[i][j] = now.m[i][j] - aFromB.m[i][j];
  const double turn = frobenius(turned);
  // Beyond that the map might be singular, or no rigid one: not for this short cut to judge.
  if (!(turn < 0.1)) return unknown;
  // The difference of two rotations has two equal singular values and a third that is 0, so its norm is the
  // root of half the sum of squares; 1e-8 for maps that are orthogonal to 1e-9.
  const double moved =
      (turn * 0.70710679 + 1e-8) * radiusOfB + norm(now.apply(centreOfB) - aFromB.apply(centreOfB));
  return moved == moved ? moved : unknown;
}

WideQuery prepareWideQuery(const TriangleMesh& meshA, const TriangleMesh& meshB,
                           const PairPlacement& placement) {
  const Transform &forth = placement.aFromB, &back = placement.bFromA;
  WideQuery query;
  query.untilted = {way(forth), way(back)};
  query.orthogonal = forth.kind() != TransformKind::affine;
  const double a = reach(meshA.bounds()), b = reach(meshB.bounds());
  // Where M is orthogonal (to 1e-9) its norm is known, and both translations are equally long.
  constexpr double root3 = 1.7320509;
  const double distance = norm(forth.t);
  const double size = (query.orthogonal ? root3 : frobenius(forth.m)) * b + distance + a;
  const double sizeInB =
      query.orthogonal ? root3 * a + distance * (1 + 1e-8) + b : frobenius(back.m) * a + norm(back.t) + b;
  const Vec3& inflation = placement.inflationInB;
  query.slackInA = errorOf(size, forth.m, 0x1p-18);
  // Carried back, the inverse is not exact: its residual is part of the pair's inflation, |inflation|_2 in
  // the axes of a node.
  query.slackInB = errorOf(sizeInB, back.m, 0x1p-18, 2 * std::max({inflation.x, inflation.y, inflation.z}));
  query.cornerError = errorOf(size, forth.m, 0x1p-21);
  query.vectorTriangles = size < 0x1p38;
  return query;
}

}  // namespace fitup::detail
