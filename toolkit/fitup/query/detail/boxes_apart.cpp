#include <fitup/query/detail/boxes_apart.h>

#include <array>
#include <cmath>
#include <cstring>

#include <fitup/hierarchy/detail/float4.h>

namespace fitup::detail {
namespace {

constexpr Int4 threeLanes{-1, -1, -1, 0};

Float4 magnitudes(Float4 v) {
  constexpr Int4 withoutSign{0x7fffffff, 0x7fffffff, 0x7fffffff, 0};
  return __builtin_bit_cast(Float4, __builtin_bit_cast(Int4, v) & withoutSign);
}
bool anyAbove(Float4 a, Float4 b) {
  const Int4 above = (a > b) & threeLanes;
  return (above[0] | above[1] | above[2]) != 0;
}
Float4 floats(const double* v) {
  using Double2 = double __attribute__((vector_size(16)));
  using Float2 = float __attribute__((vector_size(8)));
  Double2 xy;
  std::memcpy(&xy, v, sizeof xy);
  const Float2 r = __builtin_convertvector(xy, Float2);
  return Float4{r[0], r[1], static_cast<float>(v[2]), 0};
}
Float4 floats(const Vec3& v) { return floats(&v.x); }
double sumOfMagnitudes(const Vec3& v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); }

/// A matrix by rows.
using Rows = std::array<Float4, 3>;

/// a^T b.
Rows transposedTimes(const Rows& a, const Rows& b) {
  Rows r;
  for (int i = 0; i < 3; ++i)
    r[static_cast<std::size_t>(i)] = b[0] * a[0][i] + b[1] * a[1][i] + b[2] * a[2][i];
  return r;
}
Rows transposed(const Rows& a) {
  return {Float4{a[0][0], a[1][0], a[2][0], 0}, Float4{a[0][1], a[1][1], a[2][1], 0},
          Float4{a[0][2], a[1][2], a[2][2], 0}};
}
/// a^T v.
Float4 transposedTimes(const Rows& a, Float4 v) { return a[0] * v[0] + a[1] * v[1] + a[2] * v[2]; }

constexpr Int4 next{1, 2, 0, 3}, afterNext{2, 0, 1, 3};

/// Of the columns: squares and products of neighbours.
bool isOrthonormal(const Rows& a) {
  const Float4 squares = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
  const Float4 products = a[0] * __builtin_shuffle(a[0], next) + a[1] * __builtin_shuffle(a[1], next) +
                          a[2] * __builtin_shuffle(a[2], next);
  const Float4 one{1, 1, 1, 1}, most{0x1p-20F, 0x1p-20F, 0x1p-20F, 0x1p-20F};
  const Int4 within = (magnitudes(squares - one) < most) & (magnitudes(products) < most) & threeLanes;
  return (within[0] & within[1] & within[2]) != 0;
}

/// A part's box in the world.
struct OwnBox {
  Rows axes;  ///< as columns
  Vec3 centre;
  Float4 half;
  double halfSum;
  double magnitude;  ///< bounds the terms of which the centre is a sum

  explicit OwnBox(const PosedModel& posed) {
    const TriangleMesh& mesh = posed.model.mesh();
    const Aabb& box = mesh.bounds();
    const Transform& f = posed.worldFromPart;
    for (std::size_t k = 0; k < 3; ++k) axes[k] = floats(f.m[k].data());
    const Vec3 inPart = mesh.origin() + box.centre(), extent = box.halfExtent();
    centre = f.apply(inPart);
    half = floats(extent);
    halfSum = extent.x + extent.y + extent.z;
    magnitude = 2 * sumOfMagnitudes(inPart) + sumOfMagnitudes(f.t);
  }
};

}  // namespace

// Axes as in Gottschalk, Lin and Manocha (1996), section 5: those of both boxes, and the directions across
// one of each.
//
// *Bound.* u = 2^-24. Let h be the sum of all half extents and d that of the magnitudes of the distance
// between the centres. Axes are orthonormal up to 2^-20 an entry and rounded (u), so a box reaches along a
// direction as computed at most 2^-17 h further than assumed; cosines carry errors of at most 6 u, and
// products and sums of them with half extents or distances fewer than 16 u: together below (2^-17 + 2^-19)(h
// + d) < 2^-16 (h + d). The centres, and placed coordinates (architecture, section 4.2), which come from an
// inverse and a product, take fewer than 64 roundings in double precision of terms that `magnitude` bounds,
// with axes that are orthonormal: below 2^-46; 2^-40 is more. Components beyond 2^60 could overflow in
// products; nothing is judged there.
bool boxesApart(const PosedModel& first, const PosedModel& second) noexcept {
  if (first.model.mesh().bounds().empty() || second.model.mesh().bounds().empty()) return false;
  const OwnBox a(first), b(second);
  const Vec3 between = b.centre - a.centre;
  const double magnitude = a.magnitude + b.magnitude, halfSum = a.halfSum + b.halfSum;
  if (!(magnitude < 0x1p60) || !(halfSum < 0x1p60)) return false;
  const auto slackOne =
      static_cast<float>(0x1p-16 * (halfSum + sumOfMagnitudes(between)) + 0x1p-40 * magnitude) *
      (1 + 0x1p-20F);
  const Float4 slack{slackOne, slackOne, slackOne, slackOne};
  if (!isOrthonormal(a.axes) || !isOrthonormal(b.axes)) return false;

  const Float4 distance = floats(between);
  const Float4 alongA = transposedTimes(a.axes, distance), alongB = transposedTimes(b.axes, distance);
  const Rows aFromB = transposedTimes(a.axes, b.axes);
  const Rows cosines{magnitudes(aFromB[0]), magnitudes(aFromB[1]), magnitudes(aFromB[2])};
  if (anyAbove(magnitudes(alongB), b.half + transposedTimes(cosines, a.half) + slack)) return true;
  const Rows turned = transposed(cosines);
  if (anyAbove(magnitudes(alongA), a.half + transposedTimes(turned, b.half) + slack)) return true;

  const Float4 halfNext = __builtin_shuffle(b.half, next), halfAfter = __builtin_shuffle(b.half, afterNext);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const auto row = [](const Rows& rows, int at) { return rows[static_cast<std::size_t>(at)]; };
    const Float4 apart = magnitudes(row(aFromB, j) * alongA[k] - row(aFromB, k) * alongA[j]);
    const Float4 ofA = row(cosines, k) * a.half[j] + row(cosines, j) * a.half[k];
    const Float4 ofB = __builtin_shuffle(row(cosines, i), afterNext) * halfNext +
                       __builtin_shuffle(row(cosines, i), next) * halfAfter;
    if (anyAbove(apart, ofA + ofB + slack)) return true;
  }
  return false;
}

}  // namespace fitup::detail
