#include <fitup/hierarchy/wide_bvh.h>

#include <algorithm>
#include <vector>

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/hierarchy/detail/wide_check.h>
#include <fitup/hierarchy/detail/wide_children.h>
#include <fitup/hierarchy/detail/wide_shape.h>

namespace fitup {
WideBvh WideBvh::build(const TriangleMesh& mesh, const WideBvhOptions& options, unsigned threads,
                       const WorkMeter& meter) {
  if (mesh.triangleCount() > WideChild::maxSlots)
    throw RangeError("mesh '" + mesh.name() + "': more than 2^28 triangles in one part");
  const auto wanted = static_cast<int>(workerCount(threads, mesh.triangleCount()));
  tbb::task_arena arena(std::min(wanted, tbb::info::default_concurrency()));
  WideBvh tree = arena.execute([&] {
    return detail::fitBoxes(mesh, detail::buildShape(mesh, meter), options, detail::FitHeight::every, nullptr,
                            meter);
  });
  tree.computeSurfaces(mesh);
  return tree;
}

void WideBvh::computeSurfaces(const TriangleMesh& mesh) {
  if (layout == WideLayout::compact) return;
  std::vector<std::uint32_t> below(8 * nodes.size(), WideNodeHead::mixed);
  for (std::size_t n = 0; n < nodes.size(); ++n)
    for (std::uint32_t k = 0; k < nodes[n].head.childCount; ++k)
      below[8 * n + k] = detail::surfaceBelow(*this, nodes[n].head, nodes[n].child[k], mesh);
  surfaces = SharedArray(std::move(below));
}

std::uint64_t WideBvh::units(const TriangleMesh& mesh) noexcept {
  return mesh.triangleCount() * (detail::shapeUnits + detail::fitUnits);
}

std::size_t WideBvh::bytes() const noexcept {
  return nodes.size() * sizeof(WideNode) + cylinders.size() * sizeof(WideCylinders) +
         compactNodes.size() * sizeof(CompactWideNode) + frames.size() * sizeof(WideFrame) +
         packets.size() * sizeof(float) + (surfaces.size() + triangleAt.size()) * sizeof(std::uint32_t);
}

std::optional<std::string> WideBvh::problemFor(const TriangleMesh& mesh, bool boxes, const WorkMeter& meter,
                                               unsigned threads) const {
  return detail::problemOfWide(*this, mesh, boxes, meter, threads);
}

}  // namespace fitup
