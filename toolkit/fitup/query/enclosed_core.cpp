#include <algorithm>
#include <cmath>
#include <vector>

#include <fitup/hierarchy/point_query.h>
#include <fitup/hierarchy/tree_queries.h>
#include <fitup/query/coincidence.h>
#include <fitup/query/detail/baked_solid.h>
#include <fitup/query/pair_frame.h>

namespace fitup {
namespace {

/// Points that are tried behind the faces of each body.
constexpr std::size_t mostPoints = 128;
/// Faces are divided until they are smaller than this share of the common box.
constexpr double finestFaces = 1.0 / 10;
/// Beyond `deeperThan`, so that rounding does not matter.
constexpr double deeper = 1 + 1.0 / 32;

/// Looks for a point of `around` deep in `core`, in the local frame of `core`.
class CoreSearch {
 public:
  CoreSearch(const SolidModel& core, const SolidModel& around, const Transform& coreFromAround,
             double deeperThan, const std::function<bool()>& stop)
      : core_(core),
        around_(around),
        coreFromAround_(coreFromAround),
        aroundFromCore_(coreFromAround.inverse()),
        inCore_(core.model()),
        onCore_(core.outer()),
        inAround_(around.model()),
        deeperThan_(deeperThan),
        stop_(stop) {}

  struct Found {
    Vec3 point, nearest;
    double depth = 0;
  };

  std::optional<Found> find() {
    const Box ofCore = boxOf(core_.mesh(), {}), ofAround = boxOf(around_.mesh(), coreFromAround_);
    for (int k = 0; k < 3; ++k) {
      // No point can be as deep.
      if (!(ofCore.max[k] - ofCore.min[k] > 2 * deeperThan_)) return std::nullopt;
      common_.min[k] = std::max(ofCore.min[k], ofAround.min[k]);
      common_.max[k] = std::min(ofCore.max[k], ofAround.max[k]);
      // Nor is one in the common part that is as far from the ends of the core's box.
      if (!(std::min(common_.max[k], ofCore.max[k] - deeperThan_) >
            std::max(common_.min[k], ofCore.min[k] + deeperThan_)))
        return std::nullopt;
    }
    spacing_ = std::max(deeperThan_, finestFaces * norm(common_.max - common_.min));
    collect(core_, {});
    for (const auto& [p, outward] : samples_)
      if (const auto found = at(p - (deeper * deeperThan_) * outward)) return found;
    collect(around_, coreFromAround_);
    if (samples_.empty()) return std::nullopt;
    const PlacedTree tree(around_.sharedModel(), coreFromAround_);
    for (const auto& [p, outward] : samples_) {
      const Vec3 from = p - (1e-6 * spacing_) * outward;
      const auto hit = tree.castRay({from, outward * -1.0});
      if (!hit) continue;
      if (const auto found = at(from - (0.5 * hit->at) * outward)) return found;
    }
    return std::nullopt;
  }

 private:
  static Box boxOf(const TriangleMesh& mesh, const Transform& place) {
    Box box;
    const Aabb& bounds = mesh.bounds();
    for (unsigned i = 0; i < 8; ++i)
      box.extend(place.apply({(i & 1U) != 0 ? bounds.max.x : bounds.min.x,
                              (i & 2U) != 0 ? bounds.max.y : bounds.min.y,
                              (i & 4U) != 0 ? bounds.max.z : bounds.min.z}));
    return box;
  }

  /// Points on the faces of a body in the common box, with the outward normal, evenly thinned out.
  void collect(const SolidModel& body, const Transform& place) {
    samples_.clear();
    const double sense = place.determinant() < 0 ? -1 : 1;
    std::vector<Triangle> open;
    for (std::uint32_t i = 0; i < body.mesh().triangleCount(); ++i) {
      Triangle whole = body.mesh().triangle(TriangleId{i});
      for (Vec3& p : whole.v) p = place.apply(p);
      const Vec3 n = cross(whole.v[1] - whole.v[0], whole.v[2] - whole.v[0]);
      if (!(norm(n) > 0)) continue;
      const Vec3 outward = normalized(n) * (sense * body.watertightness().outward(TriangleId{i}));
      open.assign(1, whole);
      while (!open.empty() && samples_.size() < 64 * mostPoints) {
        const Triangle t = open.back();
        open.pop_back();
        Box box;
        for (const Vec3& p : t.v) box.extend(p);
        bool isNear = true;
        for (int k = 0; k < 3; ++k)
          isNear = isNear && box.min[k] <= common_.max[k] + deeperThan_ &&
                   box.max[k] >= common_.min[k] - deeperThan_;
        if (!isNear) continue;
        if (norm(box.max - box.min) <= 2 * spacing_) {
          samples_.emplace_back((1.0 / 3) * (t.v[0] + t.v[1] + t.v[2]), outward);
          continue;
        }
        int k = 0;
        for (int j : {1, 2})
          if (norm(t.v[(j + 1) % 3] - t.v[j]) > norm(t.v[(k + 1) % 3] - t.v[k])) k = j;
        const Vec3 from = t.v[k], to = t.v[(k + 1) % 3], apex = t.v[(k + 2) % 3], half = 0.5 * (from + to);
        open.push_back({{from, half, apex}});
        open.push_back({{half, to, apex}});
      }
    }
    if (samples_.size() <= mostPoints) return;
    std::vector<std::pair<Vec3, Vec3>> some;
    for (std::size_t i = 0; i < mostPoints; ++i) some.push_back(samples_[i * samples_.size() / mostPoints]);
    samples_ = std::move(some);
  }

  std::optional<Found> at(const Vec3& p) {
    if (++asked_ % 16 == 0 && stop_ && stop_()) return std::nullopt;
    for (int k = 0; k < 3; ++k)
      if (p[k] < common_.min[k] || p[k] > common_.max[k]) return std::nullopt;
    if (inAround_.side(aroundFromCore_.apply(p), around_.watertightness()) != PointSide::inside)
      return std::nullopt;
    if (onCore_.closest(p, deeperThan_)) return std::nullopt;
    if (inCore_.side(p, core_.watertightness()) != PointSide::inside) return std::nullopt;
    const auto nearest = onCore_.closest(p);
    if (!nearest || !(nearest->distance > deeperThan_)) return std::nullopt;
    return Found{p, nearest->point, nearest->distance};
  }

  const SolidModel &core_, &around_;
  Transform coreFromAround_, aroundFromCore_;
  PointQuery inCore_, onCore_, inAround_;
  double deeperThan_, spacing_ = 0;
  const std::function<bool()>& stop_;
  Box common_;
  std::vector<std::pair<Vec3, Vec3>> samples_;
  unsigned asked_ = 0;
};

}  // namespace

std::optional<CommonPoint> enclosedCore(const PosedSolid& first, const PosedSolid& second, double deeperThan,
                                        const std::function<bool()>& stop) {
  requireSolids(first, second);
  if (detail::needsBakedSolids(first, second))
    return enclosedCore({detail::bakedSolid(first), {}}, {detail::bakedSolid(second), {}}, deeperThan, stop);
  const PairFrame frame = PairFrame::of(first.posed(), second.posed());
  const Transform& firstFromSecond = frame.swapped ? frame.placement.bFromA : frame.placement.aFromB;
  const Transform& secondFromFirst = frame.swapped ? frame.placement.aFromB : frame.placement.bFromA;
  for (const bool isFirst : {!frame.swapped, frame.swapped}) {
    const PosedSolid &core = isFirst ? first : second, &around = isFirst ? second : first;
    CoreSearch search(*core.solid, *around.solid, isFirst ? firstFromSecond : secondFromFirst, deeperThan,
                      stop);
    if (const auto found = search.find())
      return CommonPoint{core.inWorld(found->point), found->depth,
                         normalized(core.worldFromPart.applyToVector(found->nearest - found->point))};
  }
  return std::nullopt;
}

}  // namespace fitup
