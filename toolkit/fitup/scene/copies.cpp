#include <fitup/scene/copies.h>

#include <algorithm>
#include <map>

#include <fitup/base/disjoint_sets.h>

namespace fitup {

std::optional<double> distanceOfCopies(const TriangleMesh& a, const Transform& worldFromA,
                                       const TriangleMesh& b, const Transform& worldFromB, double most) {
  if (a.triangleCount() != b.triangleCount() || a.points().size() != b.points().size()) return std::nullopt;
  double largest = 0;
  const bool isSameMesh = a.origin() == b.origin() && a.points().data() == b.points().data();
  if (!isSameMesh || worldFromA != worldFromB)
    for (std::uint32_t i = 0; i < a.points().size(); ++i) {
      largest =
          std::max(largest, norm(worldFromA.apply(a.pointInPart(i)) - worldFromB.apply(b.pointInPart(i))));
      if (!(largest <= most)) return std::nullopt;
    }
  if (!isSameMesh && !std::ranges::equal(a.triangles(), b.triangles())) return std::nullopt;
  return largest;
}

bool isSameGeometry(const TriangleMesh& a, const TriangleMesh& b) noexcept {
  if (&a == &b) return true;
  return a.contentHash() == b.contentHash() && a.deflection() == b.deflection() && a.origin() == b.origin() &&
         std::ranges::equal(a.points(), b.points()) && std::ranges::equal(a.triangles(), b.triangles()) &&
         std::ranges::equal(a.surfaces(), b.surfaces(), [](const Surface& s, const Surface& t) {
           return s.triangleCount == t.triangleCount && s.chordError == t.chordError;
         });
}

bool judgeCopies(const PosedSolid& a, const PosedSolid& b, VerdictReport& verdict) {
  const double least = minimumTolerance(a, b), most = std::max(verdict.tolerance, least);
  const TriangleMesh &meshA = a.solid->partModel()->mesh(), &meshB = b.solid->partModel()->mesh();
  const std::optional<double> apart = distanceOfCopies(meshA, a.worldFromPart, meshB, b.worldFromPart, most);
  if (!apart) return false;
  if (verdict.verdict == Verdict::clash) return true;
  if (*apart > least) return false;
  VerdictReport clash;
  clash.verdict = Verdict::clash;
  clash.tolerance = verdict.tolerance;
  clash.depthIsLowerBound = verdict.depthIsLowerBound;
  clash.point = a.worldFromPart.apply(meshA.boundsInPart().centre());
  verdict = std::move(clash);
  return true;
}

std::vector<ListedPair> listedPairs(const InterferenceReport& report) {
  std::map<NodeId, std::uint32_t> positions;
  for (const PairInterference& pair : report.pairs)
    if (pair.areCopies)
      for (const NodeId node : {pair.a, pair.b}) positions.emplace(node, 0U);
  DisjointSets sets(positions.size());
  std::uint32_t next = 0;
  for (auto& [node, position] : positions) position = next++;
  for (const PairInterference& pair : report.pairs)
    if (pair.areCopies) sets.unite(positions.at(pair.a), positions.at(pair.b));

  std::vector<ListedPair> listed;
  std::map<std::uint32_t, std::size_t> entryOf;  // set -> entry of the list
  for (const PairInterference& pair : report.pairs) {
    if (!pair.areCopies) {
      listed.push_back({&pair});
      continue;
    }
    const auto [entry, isNew] = entryOf.try_emplace(sets.find(positions.at(pair.a)), listed.size());
    if (isNew) listed.push_back({&pair, CopySet{}});
    ++listed[entry->second].copies->pairs;
  }
  for (const auto& [node, position] : positions)
    listed[entryOf.at(sets.find(position))].copies->instances.push_back(node);
  return listed;
}

std::string copiesText(std::size_t instances, std::string_view path) {
  return std::to_string(instances) + " copies of " + std::string(path) + " in one place";
}

}  // namespace fitup
