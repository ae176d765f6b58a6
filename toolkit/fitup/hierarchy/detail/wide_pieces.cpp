#include <fitup/hierarchy/detail/wide_pieces.h>

#include <algorithm>
#include <array>

#include <fitup/base/tuning-inl.h>

namespace fitup::detail {
namespace {

/// A group of bodies with all that is needed to split it.
struct Group {
  std::vector<BuildItem> items;
  std::uint32_t weight = 0;
  double area = 0;
};

class Splitting {
 public:
  Splitting(std::span<const std::uint32_t> weights, float unit) : weights_(weights), unit_(unit) {}

  Group groupOf(std::vector<BuildItem> items) const {
    Group group;
    Box4 box;
    for (const BuildItem& item : items) {
      box.extend(item.min, item.max);
      group.weight += weights_[item.id()];
    }
    group.area = double(box.halfArea(unit_));
    group.items = std::move(items);
    return group;
  }
  /// Splits into as many groups as a wide node has children, the costliest first. Returns the sum of their
  /// areas, each times its number of triangles.
  double cost(std::vector<BuildItem> items) const {
    std::vector<Group> groups;
    groups.push_back(groupOf(std::move(items)));
    while (groups.size() < 8) {
      std::size_t worst = groups.size();
      for (std::size_t i = 0; i < groups.size(); ++i)
        if (groups[i].items.size() > 1 &&
            (worst == groups.size() || costOf(groups[i]) > costOf(groups[worst])))
          worst = i;
      if (worst == groups.size()) break;
      std::vector<BuildItem> first = std::move(groups[worst].items);
      const std::uint32_t middle = splitBodies(first, weights_, unit_);
      std::vector<BuildItem> second(first.begin() + middle, first.end());
      first.resize(middle);
      groups[worst] = groupOf(std::move(first));
      groups.push_back(groupOf(std::move(second)));
    }
    double sum = 0;
    for (const Group& group : groups) sum += costOf(group);
    return sum;
  }
  static double costOf(const Group& group) { return group.area * group.weight; }

 private:
  std::span<const std::uint32_t> weights_;
  float unit_;
};

}  // namespace

SurfacePieces::SurfacePieces(const TriangleMesh& mesh, float unit, const WorkMeter& meter)
    : mesh_(mesh), unit_(unit), meter_(meter), pieces_(mesh.surfaces().size()) {}

const SurfacePieces::Pieces& SurfacePieces::of(std::uint32_t surface) {
  std::optional<Pieces>& known = pieces_[surface];
  if (known) return *known;
  const Surface& whole = mesh_.surfaces()[surface];
  std::vector<BuildItem> items(whole.triangleCount);
  polledLoop(items.size(), meter_, [&](std::size_t i) {
    items[i] = itemOf(mesh_, whole.firstTriangle + static_cast<std::uint32_t>(i));
  });
  Pieces pieces;
  const auto split = [&](const auto& self, BuildGroup group, bool isWhole) -> void {
    if (group.count() > 8) {
      if (!isWhole) {
        Box4 box;
        for (std::uint32_t i = group.begin; i < group.end; ++i) box.extend(items[i].min, items[i].max);
        pieces.areaBelow += double(box.halfArea(unit_));
      }
      const BuildGroups groups = splitTriangles(items, group.begin, group.end, unit_, meter_);
      for (std::uint32_t k = 0; k < groups.count; ++k) self(self, groups.group[k], false);
      return;
    }
    Box4 box;
    for (std::uint32_t i = group.begin; i < group.end; ++i) {
      box.extend(items[i].min, items[i].max);
      pieces.triangles.push_back(items[i].id());
    }
    BuildItem item{box.min, box.max};
    item.setId(static_cast<std::uint32_t>(pieces.items.size()));
    pieces.items.push_back(item);
    pieces.weights.push_back(group.count());
  };
  split(split, {0, whole.triangleCount}, true);
  return known.emplace(std::move(pieces));
}

std::optional<Bodies> SurfacePieces::worthTrying(std::span<const BuildItem> surfaces,
                                                 std::span<const std::uint32_t> weights) {
  const Splitting bySurfaces(weights, unit_);
  Group whole = bySurfaces.groupOf({surfaces.begin(), surfaces.end()});
  if (whole.weight < tuning::fewToMix) return std::nullopt;
  const double wholeCost = Splitting::costOf(whole);
  const double cost = bySurfaces.cost(std::move(whole.items));
  if (!(cost > tuning::goodSplit * wholeCost)) return std::nullopt;
  Bodies bodies;
  bodies.kind = Bodies::Kind::pieces;
  for (const BuildItem& surface : surfaces) {
    const Pieces& pieces = of(surface.id());
    std::uint32_t triangle = static_cast<std::uint32_t>(bodies.triangles.size());
    for (std::size_t i = 0; i < pieces.items.size(); ++i) {
      BuildItem item = pieces.items[i];
      item.setId(static_cast<std::uint32_t>(bodies.weights.size()));
      bodies.items.push_back(item);
      bodies.weights.push_back(pieces.weights[i]);
      bodies.first.push_back(triangle);
      bodies.surfaces.push_back(surface.id());
      triangle += pieces.weights[i];
    }
    bodies.triangles.insert(bodies.triangles.end(), pieces.triangles.begin(), pieces.triangles.end());
  }
  if (!(Splitting(bodies.weights, unit_).cost(bodies.items) < tuning::worthMixing * cost))
    return std::nullopt;
  return bodies;
}

}  // namespace fitup::detail
