// Preparation of two parts (pair_preparation.h) in vectors of four doubles. Targets without them call plain
// code or return that it is needed. Included once for each target of Highway, by pair_preparation.cpp only.

#include <algorithm>
#include <cmath>

#include <fitup/geometry/four_doubles-inl.h>
#include <fitup/geometry/limits.h>
#include <fitup/query/detail/pair_preparation.h>
#include <fitup/query/detail/separating_axes.h>
#include <fitup/query/detail/two_placed_boxes.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace HWY_NAMESPACE {

#if FITUP_FOUR_DOUBLES

/// Computes a cross product. Each entry is a difference of two products, as the minors of
/// `Transform::inverse`.
HWY_INLINE Double4 cross(Double4 v, Double4 w) { return yzx(v) * zxy(w) - zxy(v) * yzx(w); }
/// Sets numbers of a magnitude below `smallest` to zero.
HWY_INLINE Double4 withoutTiny(Double4 v, double smallest) {
  return chosen(v, magnitude(v) >= all(smallest));
}

/// Tests `SeparatingAxes`, where points of B are placed by m p + t. Magnitudes are those of A's local
/// coordinates.
HWY_INLINE BoxTestResult testBoxes(const PosedModel& a, const PosedModel& b, const Columns& m, Double4 t) {
  const Double4 off = firstThree(orthonormalError(m.x, m.y, m.z));
  const PartBox &boxA = a.model->box(), &boxB = b.model->box();
  const auto vector = [](const Vec3& v) HWY_ATTR __attribute__((always_inline)) {
    return Double4{v.x, v.y, v.z, 0};
  };
  const auto floats = [](Double4 v) HWY_ATTR __attribute__((always_inline)) {
    return __builtin_convertvector(v, Float4);
  };
  const Double4 originA = vector(a.model->mesh().origin()), originB = vector(b.model->mesh().origin()),
                inA = lanes(boxA.centreLanes), inB = lanes(boxB.centreLanes), centreB = inB - originB;
  const Double4 between = m.times(centreB[0], centreB[1], centreB[2]) + (t - (inA - originA));
  const Double4 terms =
      ((magnitude(inA) + magnitude(originA)) + (magnitude(inB) + magnitude(originB))) + magnitude(t);
  const TwoSums sums = sumsOf(magnitude(between), terms);
  const double h = boxA.halfSum + boxB.halfSum, sizes = h + sums.ofSecond;
  // The slack of an empty box is infinite.
  if (!(inAll(off < all(0x1p-20)) && sizes + (boxA.slack + boxB.slack) < 0x1p60))
    return BoxTestResult::placed;
  return SeparatingAxes{__builtin_bit_cast(Float4, boxA.half),
                        __builtin_bit_cast(Float4, boxB.half),
                        {floats(m.x), floats(m.y), floats(m.z)},
                        floats(between),
                        SeparatingAxes::slackOf(h + sums.ofFirst, sizes, inAll(off < all(0x1p-24)))}
      .test();
}

/// Places the local coordinates of B in those of A, with the bits of `Transform::inverse` and of the products
/// after it. If `unlessApart`, the boxes are tested first, and separated boxes
/// are not placed. Plain code is needed if the placement of A is not rigid or mirrored up to rounding, if
/// both placements are the same, or if a number lies outside limits.h or is NaN.
BoxTestResult place(const PosedModel& a, const PosedModel& b, bool unlessApart, Transform& aFromB) {
  const Transform &fa = a.worldFromPart, &fb = b.worldFromPart;
  const Rows rows(fa), others(fb);
  const Double4 &p = rows.row[0], &q = rows.row[1], &r = rows.row[2];
  const Double4 qr = cross(q, r), rp = cross(r, p), pq = cross(p, q);
  const Double4 terms = p * qr;
  const double determinant = (terms[0] + terms[1]) + terms[2];
  const Double4 det = all(determinant);
  const Columns inverse{qr / det, rp / det, pq / det};
  const Double4 back = -inverse.times(fa.t);
  const auto& m = fb.m;
  const Columns product{inverse.times(m[0][0], m[1][0], m[2][0]), inverse.times(m[0][1], m[1][1], m[2][1]),
                        inverse.times(m[0][2], m[1][2], m[2][2])};
  Double4 t = inverse.times(fb.t) + back;
  const Vec3 &originA = a.model->mesh().origin(), &originB = b.model->mesh().origin();
  t = (product.times(originB) + t) - Double4{originA.x, originA.y, originA.z, 0};
  const Double4 largest = all(limits::largest);
  const Long4 fits = (rows.orthonormalError() < all(0x1p-20)) & (magnitude(product.x) <= largest) &
                     (magnitude(product.y) <= largest) & (magnitude(product.z) <= largest) &
                     (magnitude(t) <= all(limits::largestTranslation));
  if (!inAll(fits | Long4{0, 0, 0, -1})) return BoxTestResult::unknown;
  if (inAll((rows.row[0] == others.row[0]) & (rows.row[1] == others.row[1]) &
            ((rows.row[2] == others.row[2]) & (rows.last == others.last))))
    return BoxTestResult::unknown;
  const Columns placed{withoutTiny(product.x, limits::smallest), withoutTiny(product.y, limits::smallest),
                       withoutTiny(product.z, limits::smallest)};
  t = withoutTiny(t, limits::smallestTranslation);
  const BoxTestResult result = unlessApart ? testBoxes(a, b, placed, t) : BoxTestResult::placed;
  if (result != BoxTestResult::apart) storeColumns(placed, t, aFromB);
  return result;
}

/// Sets the members that follow from `placement.aFromB`. Returns false, and sets nothing, if plain code is
/// needed. Nothing is fused, and sums have the order of the plain code (pair_placement.cpp, which gives the
/// reasons).
bool placeOrthogonally(const Aabb& boundsInB, PairPlacement& placement) {
  const Rows rows(placement.aFromB);
  const Double4 &p = rows.row[0], &q = rows.row[1], &r = rows.row[2];
  const Double4 t = firstThree(rows.translation());
  const Double4 squares = magnitude(((p * p + q * q) + r * r) - 1),
                products = magnitude((p * yzx(p) + q * yzx(q)) + r * yzx(r));
  const Long4 fits = (squares < all(largestOffTransposed)) & (products < all(largestOffTransposed)) &
                     (magnitude(t) < all(0x1p1000));
  if (!inAll(fits | Long4{0, 0, 0, -1}) || boundsInB.empty()) return false;
  const auto reach = __builtin_convertvector(largestMagnitudes(boundsInB), Double4);
  const Double4 larger = squares > products ? squares : products;
  const double off = std::max(std::max(larger[0], larger[1]), larger[2]);

  const Double4 firstAndThird = __builtin_shufflevector(p, q, 0, 4, 2, 6),
                second = __builtin_shufflevector(p, q, 1, 5, 3, 7);
  const Columns columns{magnitude(__builtin_shufflevector(firstAndThird, r, 0, 1, 4, 5)),
                        magnitude(__builtin_shufflevector(second, r, 0, 1, 5, 4)),
                        magnitude(__builtin_shufflevector(firstAndThird, r, 2, 3, 6, 7))};
  const Double4 error = firstThree((columns.times(reach[0], reach[1], reach[2]) + magnitude(t)) * 0x1p-50);
  const TwoSums ofReachAndShift = sumsOf(reach, magnitude(t)), ofErrors = sumsOf(error, error);
  const double growth =
      (off + 0x1p-50) * ofReachAndShift.ofFirst + 0x1p-50 * ofReachAndShift.ofSecond + ofErrors.ofFirst;
  placement.orthogonal = true;
  placement.placementError = {error[0], error[1], error[2]};
  placement.inflationInB = Vec3{growth, growth, growth} * 2.0;
  storeColumns({p, q, r}, -Columns{p, q, r}.times(t[0], t[1], t[2]), placement.bFromA);
  return true;
}

/// The test that most queries of a drag need.
///
/// *Bound.* All values are sums of fewer than 32 products in double precision, fused or not, of terms that
/// halves and magnitudes bound (`PartBox::slack`), and placed coordinates as for `SeparatingAxes`.
bool isSeparatingAxis(const PosedModel& first, const PosedModel& second, const Vec3& d) {
  const PartBox &boxA = first.model->box(), &boxB = second.model->box();
  const Rows a(first.worldFromPart), b(second.worldFromPart);
  const Double4 x = all(d.x), y = all(d.y), z = all(d.z);
  const Double4 alongA = a.along(x, y, z), alongB = b.along(x, y, z);
  const Double4 shifts = chosen(magnitude(a.last) + magnitude(b.last), Long4{0, -1, -1, -1});
  const Double4 turned = alongB * lanes(boxB.centreLanes) - alongA * lanes(boxA.centreLanes);
  const Double4 between = mulAdd(Double4{0, d.x, d.y, d.z}, b.last - a.last, turned);
  const Double4 taken = mulAdd(magnitude(alongA), lanes(boxA.halfLanes),
                               mulAdd(magnitude(alongB), lanes(boxB.halfLanes), shifts * 0x1p-40));
  // Both sums at once.
  const Double4 sums = __builtin_shufflevector(between, taken, 0, 4, 2, 6) +
                       __builtin_shufflevector(between, taken, 1, 5, 3, 7);
  const double distance = std::abs(sums[0] + sums[2]),
               reach = (sums[1] + sums[3]) + (boxA.slack + boxB.slack);
  if (!(distance > reach)) return false;
  const Double4 off = chosen(a.orthonormalError() + b.orthonormalError(), Long4{-1, -1, -1, 0});
  return inAll((off < all(0x1p-20)) & (shifts < all(0x1p58))) && reach < 0x1p60;
}

/// The vector between the centres of both boxes, and the slack of a test along it.
struct Connection {
  double x, y, z, square;
  double slack;
};

/// A function of its own, so that parts that are far from each other need no stack space for it.
[[gnu::noinline]] bool beyondAlong(const Connection& c, const PosedModel& first, const PosedModel& second) {
  const Rows a(first.worldFromPart), b(second.worldFromPart);
  const Double4 alongA = a.along(all(c.x), all(c.y), all(c.z)),
                alongB = b.along(all(c.x), all(c.y), all(c.z));
  const Double4 taken = mulAdd(magnitude(alongA), lanes(first.model->box().halfLanes),
                               magnitude(alongB) * lanes(second.model->box().halfLanes));
  const double length = (std::abs(c.x) + std::abs(c.y)) + std::abs(c.z);
  return c.square > sumsOf(taken, taken).ofFirst + length * c.slack;
}

/// The only test for parts that are far from each other. It first tests whether spheres around the boxes are
/// separated, which is known soon after the centres are, and then the boxes along the connection of the
/// centres.
///
/// *Bound.* As above. Along the connection of the centres, the error of the centres is added, and everything
/// is multiplied by the length of the connection. A placement that counts as orthonormal lengthens nothing by
/// more than 2^-19.
bool areSeparatedAlongCentres(const PosedModel& first, const PosedModel& second) {
  const PartBox &boxA = first.model->box(), &boxB = second.model->box();
  const Rows a(first.worldFromPart), b(second.worldFromPart);
  const Double4 centreA = lanes(boxA.centreLanes), centreB = lanes(boxB.centreLanes);
  const auto turned = [&](int i) HWY_ATTR __attribute__((always_inline)) {
    return mulAdd(b.row[i], centreB, -(a.row[i] * centreA));
  };
  const Double4 inX = turned(0), inY = turned(1), inZ = turned(2), moved = b.last - a.last;
  const Double4 halfA = lanes(boxA.halfLanes), halfB = lanes(boxB.halfLanes);
  const TwoSums inXAndY = sumsOf(inX, inY), inZAndRadii = sumsOf(inZ, mulAdd(halfA, halfA, halfB * halfB));
  Connection c{};
  c.x = inXAndY.ofFirst + moved[1];
  c.y = inXAndY.ofSecond + moved[2];
  c.z = inZAndRadii.ofFirst + moved[3];
  c.square = (c.x * c.x + c.y * c.y) + c.z * c.z;

  const Double4 shifts = chosen(magnitude(a.last) + magnitude(b.last), Long4{0, -1, -1, -1});
  const double shift = sumsOf(shifts, shifts).ofFirst;
  c.slack = (boxA.slack + boxB.slack) + 0x1p-40 * shift;
  const double taken = (2 + 0x1p-8) * inZAndRadii.ofSecond + (1 + 0x1p10) * (c.slack * c.slack);
  if (!(c.square > taken) && !beyondAlong(c, first, second)) return false;
  const Double4 off = chosen(a.orthonormalError() + b.orthonormalError(), Long4{-1, -1, -1, 0});
  return inAll(off < all(0x1p-20)) &&
         (boxA.magnitude + boxB.magnitude) + (boxA.halfSum + boxB.halfSum) + shift < 0x1p60;
}

#else

BoxTestResult place(const PosedModel&, const PosedModel&, bool, Transform&) { return BoxTestResult::unknown; }
bool placeOrthogonally(const Aabb&, PairPlacement&) { return false; }
bool isSeparatingAxis(const PosedModel& first, const PosedModel& second, const Vec3& d) {
  return TwoPlacedBoxes(first, second).isSeparatingAxis(d);
}
bool areSeparatedAlongCentres(const PosedModel& first, const PosedModel& second) {
  return TwoPlacedBoxes(first, second).areSeparatedAlongCentres();
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();
