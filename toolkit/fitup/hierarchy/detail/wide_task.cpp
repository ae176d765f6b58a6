#include <fitup/hierarchy/detail/wide_task.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fitup/geometry/aabb.h>
#include <fitup/geometry/vectors-inl.h>

namespace fitup::detail {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

double frobenius(const Matrix& m) {
  double sum = 0;
  for (const auto& row : m)
    for (double v : row) sum += v * v;
  return std::sqrt(sum);
}

/// Stores whole rows, because reading a row that was written in pieces waits for them.
void store(const Transform& f, Affine3f& way) {
  const auto put = [](Float4 v, float* to) { std::memcpy(to, &v, sizeof v); };
  for (std::size_t i = 0; i < 3; ++i) {
    const Float4 row = firstThree(rowOf(f, i));
    put(row, way.m[i]);
    put(magnitude(row), way.absolute[i]);
  }
  put(floats(f.t), way.t);
}

}  // namespace

float leastTriangleExtent(double size) noexcept { return floatAbove(std::max(0x1p-40, size * 0x1p-23)); }

std::optional<float> vectorTriangleExtent(double reachA, double reachB, const Transform& aFromB) noexcept {
  const auto sum = [](double x, double y, double z) { return std::abs(x) + std::abs(y) + std::abs(z); };
  const Matrix& m = aFromB.m;
  const double entries =
      sum(m[0][0], m[0][1], m[0][2]) + sum(m[1][0], m[1][1], m[1][2]) + sum(m[2][0], m[2][1], m[2][2]);
  const double size = entries * reachB + sum(aFromB.t.x, aFromB.t.y, aFromB.t.z) + reachA;
  if (!(size < largestForVectors)) return std::nullopt;
  return leastTriangleExtent(size);
}

WideQuery prepareWideQuery(const TriangleMesh& meshA, const TriangleMesh& meshB,
                           const PairPlacement& placement) {
  const Transform &forth = placement.aFromB, &back = placement.bFromA;
  WideQuery query;
  store(forth, query.untilted.aFromB);
  store(back, query.untilted.bFromA);
  query.orthogonal = placement.orthogonal;
  const double a = query.reachA = reach(meshA.bounds()), b = query.reachB = reach(meshB.bounds());
  // If M is orthogonal (to 1e-9), its norm is known, and both translations have the same length.
  const double normForth = query.orthogonal ? rootOf3 : frobenius(forth.m),
               normBack = query.orthogonal ? rootOf3 : frobenius(back.m);
  const double distance = norm(forth.t);
  const double size = normForth * b + distance + a;
  const double sizeInB = normBack * a + (query.orthogonal ? distance * (1 + 1e-8) : norm(back.t)) + b;
  const Vec3& inflation = placement.inflationInB;
  // The inverse used for mapping back is not exact. Its residual is part of the pair's inflation,
  // |inflation|_2 in the axes of a node. Underflow loses less than 2^-140.
  const double carriedBack = 2 * std::max({inflation.x, inflation.y, inflation.z});
  const Float4 bounds = floatsAbove(Double2{size, sizeInB} * 0x1p-18 + Double2{0, carriedBack} + 0x1p-140,
                                    size * Double2{0x1p-16, 0x1p-21} + 0x1p-140);
  // Sizes at which sums of 32-bit numbers could overflow.
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const bool safeInA = size < 0x1p120 && normForth < 0x1p120,
             safeInB = sizeInB < 0x1p120 && normBack < 0x1p120;
  query.slackInA = safeInA ? bounds[0] : infinity;
  query.slackInB = safeInB ? bounds[1] : infinity;
  query.cylinderSlack = safeInA && query.orthogonal ? bounds[2] : infinity;
  query.cornerError = safeInA ? bounds[3] : infinity;
  query.placedError = query.cornerError * 0x1p-24F + 0x1p-126F;
  query.vectorTriangles = size < largestForVectors;
  if (query.vectorTriangles) query.leastExtent = leastTriangleExtent(size);
  return query;
}

}  // namespace fitup::detail
