#include <fitup/query/pair_frame.h>

#include <array>
#include <cmath>
#include <string>

#include <fitup/base/error.h>
#include <fitup/geometry/limits.h>
#include <fitup/query/detail/boxes_apart.h>
#include <fitup/query/detail/orthogonal_placement.h>
#include <fitup/query/detail/relative_placement.h>

namespace fitup {
namespace {

/// True if `first` plays B.
bool firstPlaysB(const PosedModel& first, const PosedModel& second) {
  requireModels(first, second);
  const TriangleMesh &a = first.model->mesh(), &b = second.model->mesh();
  if (a.triangleCount() != b.triangleCount()) return a.triangleCount() < b.triangleCount();
  if (a.contentHash() != b.contentHash()) return a.contentHash() < b.contentHash();
  const Transform &fa = first.worldFromPart, &fb = second.worldFromPart;
  const std::array ta{fa.t.x, fa.t.y, fa.t.z}, tb{fb.t.x, fb.t.y, fb.t.z};
  if (fa.m != fb.m) return fa.m < fb.m;
  if (ta != tb) return ta < tb;
  // One mesh at one place, but perhaps with other hierarchies: witnesses would tell the order of arguments.
  return first.model->hierarchyBytes() < second.model->hierarchyBytes();
}

void requirePlacement(const PosedModel& posed) {
  try {
    (void)posed.worldFromPart.inverse();
  } catch (const PlacementError& error) {
    throw PlacementError("part '" + posed.model->mesh().name() + "': " + error.what());
  }
}

double intoRange(double value, double smallest, double largest, const char* what) {
  const double magnitude = std::abs(value);
  if (!(magnitude <= largest)) [[unlikely]]
    throw RangeError(std::string("relative placement: ") + what + " too large");
  return magnitude < smallest ? 0.0 : value;
}

/// Local coordinates: a point of the part is origin + local.
Transform placedPlainly(const PosedModel& a, const PosedModel& b) {
  Transform r;
  const Vec3 &originA = a.model->mesh().origin(), &originB = b.model->mesh().origin();
  if (a.worldFromPart == b.worldFromPart) {
    requirePlacement(a);
    r.t = originB - originA;  // exactly the identity where the models agree too
  } else {
    r = a.worldFromPart.inverse() * b.worldFromPart;
    r.t = r.apply(originB) - originA;
  }
  for (auto& row : r.m)
    for (double& v : row) v = intoRange(v, limits::smallest, limits::largest, "scale");
  for (int i = 0; i < 3; ++i)
    r.t[i] = intoRange(r.t[i], limits::smallestTranslation, limits::largestTranslation, "distance");
  return r;
}

Transform aLocalFromBLocal(const PosedModel& a, const PosedModel& b) {
  Transform r;
  return detail::placeRelatively(a, b, r) == detail::Relation::placed ? r : placedPlainly(a, b);
}

/// Runs `work`; of placements that cannot be used it says whose they are. That is only asked in case of an
/// error: these inverses cost as much as a query of parts that are apart.
template <typename Work>
auto namingParts(const PosedModel& first, const PosedModel& second, Work&& work) {
  try {
    return work();
  } catch (const Error& error) {
    requirePlacement(first);
    requirePlacement(second);
    if (dynamic_cast<const PlacementError*>(&error) == nullptr) throw;
    throw PlacementError("parts '" + first.model->mesh().name() + "' and '" + second.model->mesh().name() +
                         "', relative placement: " + error.what());
  }
}

}  // namespace

PairRoles PairRoles::of(const PosedModel& first, const PosedModel& second) {
  return namingParts(first, second, [&] {
    const bool swapped = firstPlaysB(first, second);
    return PairRoles{swapped, swapped ? aLocalFromBLocal(second, first) : aLocalFromBLocal(first, second)};
  });
}

std::optional<PairRoles> PairRoles::unlessBoxesApart(const PosedModel& first, const PosedModel& second) {
  PairRoles roles;
  roles.swapped = firstPlaysB(first, second);
  const PosedModel &a = roles.swapped ? second : first, &b = roles.swapped ? first : second;
  switch (detail::placeUnlessApart(a, b, roles.aFromB)) {
    case detail::Relation::placed:
      return roles;
    case detail::Relation::apart:
      return std::nullopt;
    case detail::Relation::unknown:
      break;
  }
  if (detail::boxesApartAlongAxes(a, b)) return std::nullopt;
  roles.aFromB = namingParts(first, second, [&] { return placedPlainly(a, b); });
  return roles;
}

PairFrame PairFrame::of(const PosedModel& first, const PosedModel& second) {
  return of(first, second, PairRoles::of(first, second));
}

PairFrame PairFrame::of(const PosedModel& first, const PosedModel& second, const PairRoles& roles) {
  const PosedModel& b = roles.swapped ? first : second;
  return namingParts(first, second, [&] {
    return PairFrame{roles.swapped, detail::placementOf(roles.aFromB, b.model->mesh().bounds())};
  });
}

}  // namespace fitup
