#include <fitup/hierarchy/scd_trees.h>

#include <limits>

#include <fitup/hierarchy/detail/rtree_check.h>

namespace fitup {
namespace {

/// Computes the boxes of a tree again.
class TreeRefit {
 public:
  TreeRefit(std::span<RTreeEntry> entries, RefitCounts& counts) : entries_(entries), counts_(counts) {}

  /// `boxOf(value)` returns the new box of a leaf's value.
  template <typename BoxOf>
  void refit(RTreeRoot& root, const BoxOf& boxOf) {
    if (root.count == 0) return;
    // Parents come before their children in the list, so the reverse order is bottom-up, whatever the order
    // of the tree in the array.
    nodes_.assign(1, {root.first, root.count, none});
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (std::uint32_t e = nodes_[i].first, end = e + nodes_[i].count; e < end; ++e)
        if (!entries_[e].isLeaf()) nodes_.push_back({entries_[e].first, entries_[e].count, e});
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      Aabb box;
      for (RTreeEntry& e : entries_.subspan(nodes_[i].first, nodes_[i].count)) {
        if (e.isLeaf()) set(e, boxOf(e.first));
        box.extend(e.box());
      }
      counts_.merges += nodes_[i].count;
      if (nodes_[i].parent == none)
        root.box = box;
      else
        set(entries_[nodes_[i].parent], box);
    }
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  struct Node {
    std::uint32_t first, count;
    std::uint32_t parent;  ///< the entry whose box contains this node
  };
  static void set(RTreeEntry& entry, const Aabb& box) {
    entry.min = box.min;
    entry.max = box.max;
  }

  std::span<RTreeEntry> entries_;
  RefitCounts& counts_;
  std::vector<Node> nodes_;
};

}  // namespace

std::uint64_t ScdTrees::units(const TriangleMesh& mesh, bool withTriangleTrees) {
  const std::uint64_t surfaces = mesh.surfaces().size() * rtreeUnits;
  return surfaces + mesh.triangleCount() * (withTriangleTrees ? 1 + rtreeUnits : 1);
}

ScdTrees ScdTrees::build(const TriangleMesh& mesh, const RTreeOptions& options, bool withTriangleTrees,
                         const WorkMeter& meter) {
  ScdTrees trees;
  trees.options = options;
  std::vector<RTreeEntry> entries;
  std::vector<RTreeRoot> roots;
  std::vector<Aabb> surfaceBoxes;
  std::vector<std::uint32_t> surfaceOfBox;
  std::vector<Aabb> boxes;

  // Values are positions in the list that was packed. They are then renamed to ordinals.
  const auto renameLeaves = [&](std::size_t from, auto rename) {
    polledLoop(entries.size() - from, meter, [&](std::size_t i) {
      RTreeEntry& entry = entries[from + i];
      if (entry.isLeaf()) entry.first = rename(entry.first);
    });
  };

  for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s) {
    const Surface& surface = mesh.surfaces()[s];
    boxes.clear();
    polledLoop(surface.triangleCount, meter, [&](std::size_t i) {
      boxes.push_back(mesh.triangleBounds(TriangleId(surface.firstTriangle + static_cast<std::uint32_t>(i))));
    });
    meter.advance(surface.triangleCount);
    if (!withTriangleTrees) {
      if (boxes.empty()) continue;
      Aabb whole;
      for (const Aabb& box : boxes) whole.extend(box);
      surfaceBoxes.push_back(whole);
      surfaceOfBox.push_back(s);
      continue;
    }
    const std::size_t from = entries.size();
    roots.push_back(appendRTree(boxes, options, entries, meter));
    renameLeaves(from, [&](std::uint32_t i) { return surface.firstTriangle + i; });
    if (surface.triangleCount > 0) {
      surfaceBoxes.push_back(roots.back().box);
      surfaceOfBox.push_back(s);
    }
  }
  const std::size_t from = entries.size();
  trees.surfaceTree = appendRTree(surfaceBoxes, options, entries, meter);
  renameLeaves(from, [&](std::uint32_t i) { return surfaceOfBox[i]; });

  trees.entries = SharedArray<RTreeEntry>(std::move(entries));
  trees.triangleTrees = SharedArray<RTreeRoot>(std::move(roots));
  return trees;
}

ScdTrees ScdTrees::refitted(const TriangleMesh& mesh, RefitCounts& counts) const {
  ScdTrees trees = *this;
  std::vector<RTreeEntry> changed(entries.begin(), entries.end());
  std::vector<RTreeRoot> roots(triangleTrees.begin(), triangleTrees.end());
  TreeRefit refit(changed, counts);
  const auto boxOfTriangle = [&](std::uint32_t t) {
    counts.corners += 3;
    return mesh.triangleBounds(TriangleId(t));
  };
  for (RTreeRoot& root : roots) refit.refit(root, boxOfTriangle);
  refit.refit(trees.surfaceTree, [&](std::uint32_t s) {
    if (!roots.empty()) return roots[s].box;
    const Surface& surface = mesh.surfaces()[s];
    Aabb box;
    for (std::uint32_t i = 0; i < surface.triangleCount; ++i)
      box.extend(boxOfTriangle(surface.firstTriangle + i));
    return box;
  });
  trees.entries = SharedArray<RTreeEntry>(std::move(changed));
  trees.triangleTrees = SharedArray<RTreeRoot>(std::move(roots));
  return trees;
}

bool ScdTrees::isWellFormedFor(const TriangleMesh& mesh, const WorkMeter& meter) const {
  const bool lean = triangleTrees.empty();
  if (!lean && triangleTrees.size() != mesh.surfaces().size()) return false;
  if (options.fanOut < 2 || options.fanOut > maxRTreeFanOut) return false;
  // Every triangle occurs once, in the tree of its surface; every surface with triangles occurs once; every
  // leaf's box contains its triangle or surface.
  std::vector<std::uint8_t> seen(mesh.triangleCount());
  detail::RTreeCheck check(entries.span(), meter);
  const auto points = mesh.points();
  const auto triangles = mesh.triangles();
  for (std::size_t s = 0; s < triangleTrees.size(); ++s) {
    const Surface& surface = mesh.surfaces()[s];
    std::uint32_t found = 0;
    const bool good = check.visitLeaves(triangleTrees[s], [&](const RTreeEntry& e) {
      if (e.first < surface.firstTriangle || e.first - surface.firstTriangle >= surface.triangleCount)
        return false;
      const TriangleIndices& t = triangles[e.first];
      if (seen[e.first] != 0 || !detail::OuterBox(e).contains(points[t[0]], points[t[1]], points[t[2]]))
        return false;
      seen[e.first] = 1;
      ++found;
      return true;
    });
    if (!good || found != surface.triangleCount) return false;
  }
  const auto boxOfSurface = [&](std::uint32_t s) {
    if (!lean) return triangleTrees[s].box;
    const Surface& surface = mesh.surfaces()[s];
    Aabb box;
    for (std::uint32_t i = 0; i < surface.triangleCount; ++i)
      box.extend(mesh.triangleBounds(TriangleId(surface.firstTriangle + i)));
    return box;
  };
  std::vector<bool> seenSurface(mesh.surfaces().size());
  std::size_t found = 0, expected = 0;
  for (const Surface& s : mesh.surfaces()) expected += s.triangleCount > 0;
  const bool good = check.visitLeaves(surfaceTree, [&](const RTreeEntry& e) {
    if (e.first >= seenSurface.size() || seenSurface[e.first] ||
        mesh.surfaces()[e.first].triangleCount == 0 || !e.box().contains(boxOfSurface(e.first)))
      return false;
    seenSurface[e.first] = true;
    ++found;
    return true;
  });
  return good && found == expected;
}

}  // namespace fitup
