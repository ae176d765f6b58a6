#include <fitup_field/detail/box_relation.h>

#include <cmath>
#include <limits>

#include <fitup/geometry/vectors-inl.h>

namespace fitup::detail {

RelationBounds RelationBounds::of(const TriangleMesh& a, const TriangleMesh& b,
                                  const PairPlacement& placement, double margin) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const Transform& f = placement.aFromB;
  RelationBounds r;
  r.orthogonal = placement.orthogonal;
  double squares = 0;
  for (const auto& row : f.m)
    for (double v : row) squares += v * v;
  const double v = r.orthogonal ? 1.0 : std::sqrt(squares);
  const double epsilon = 0x1p-18 + margin;
  r.epsilonR = floatAbove(epsilon * v);
  r.epsilonC = floatAbove(epsilon * v * v);
  r.restOfEdge = r.epsilonC;
  r.restOfFace = floatAbove(epsilon * v * v * v);
  r.determinant = r.orthogonal ? 1 : floatAbove(std::abs(f.determinant()) * (1 + 0x1p-40));
  // Offsets have eight roundings in double precision of terms that |M||b| + |t| + |a| bounds (Frobenius norm,
  // so 1.74 for an orthogonal M), and placed points have errors of 2^-50 of them: 2^-48 in all. Underflow
  // loses less than 2^-130.
  const double size = std::sqrt(squares) * reach(b.bounds()) + norm(f.t) + reach(a.bounds());
  r.slackA = size < 0x1p120 && v < 0x1p120 ? floatAbove(size * 0x1p-46 + 0x1p-130) : infinity;
  const bool moderate = size < 0x1p60 && v < 0x1p30 && v > 0x1p-30;
  r.slackB = moderate ? floatAbove(4 * v * v * (size * 0x1p-46) + 0x1p-130) : infinity;
  r.slackEdge = moderate ? floatAbove(4 * v * (size * 0x1p-46) + 0x1p-130) : infinity;
  return r;
}

}  // namespace fitup::detail
