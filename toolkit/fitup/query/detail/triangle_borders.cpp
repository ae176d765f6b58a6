#include <fitup/query/detail/triangle_borders.h>

namespace fitup::detail {

TriangleBorders::TriangleBorders(const BodyPair& pair, const CutGraph& graph) : pair_(pair), graph_(graph) {
  for (std::uint32_t i = 0; i < graph.common.size(); ++i) {
    const CutSegment& s = graph.common[i];
    ofTriangle_[0][static_cast<std::uint32_t>(s.a)].push_back(i);
    ofTriangle_[1][static_cast<std::uint32_t>(s.b)].push_back(i);
  }
}

std::vector<BorderStretch> TriangleBorders::on(int side, TriangleId triangle,
                                               const std::function<bool(const CutSegment&)>& counts) const {
  std::vector<BorderStretch> stretches;
  const auto& ofTriangle = ofTriangle_[static_cast<std::size_t>(side)];
  const auto found = ofTriangle.find(static_cast<std::uint32_t>(triangle));
  if (found == ofTriangle.end()) return stretches;
  for (const std::uint32_t i : found->second) {
    const CutSegment& s = graph_.common[i];
    if (counts && !counts(s)) continue;
    BorderStretch stretch{graph_.nodes[s.from].p, graph_.nodes[s.to].p};
    if (side == 0)
      for (Vec3& p : stretch) p = pair_.frame.placement.bFromA.apply(p);
    stretches.push_back(stretch);
  }
  return stretches;
}

const std::vector<BorderStretch>& BordersOfSide::on(TriangleId triangle) {
  const auto [found, isNew] = found_.try_emplace(static_cast<std::uint32_t>(triangle));
  if (isNew) found->second = borders_.on(side_, triangle, counts_);
  return found->second;
}

}  // namespace fitup::detail
