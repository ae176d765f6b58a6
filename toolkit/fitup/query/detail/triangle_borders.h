#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fitup/query/detail/border_cutter.h>
#include <fitup/query/detail/cut_graph.h>

namespace fitup::detail {

/// The lines in which the surfaces of two bodies meet, for each triangle. A piece of a triangle that no line
/// crosses is inside or outside the other body as a whole.
class TriangleBorders {
 public:
  /// Keeps references to the pair and the graph.
  TriangleBorders(const BodyPair& pair, const CutGraph& graph);

  /// Returns the stretches on a triangle of a side (0 is A) for which `counts` holds. They are in the local
  /// frame of the other side, in which depths are searched.
  [[nodiscard]] std::vector<BorderStretch> on(int side, TriangleId triangle,
                                              const std::function<bool(const CutSegment&)>& counts) const;

 private:
  const BodyPair& pair_;
  const CutGraph& graph_;
  std::array<std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>, 2> ofTriangle_;
};

/// The borders of one side. Each triangle is looked up once. The borders must outlive it.
class BordersOfSide {
 public:
  BordersOfSide(const TriangleBorders& borders, int side, std::function<bool(const CutSegment&)> counts = {})
      : borders_(borders), side_(side), counts_(std::move(counts)) {}
  /// The reference stays valid.
  const std::vector<BorderStretch>& on(TriangleId triangle);

 private:
  const TriangleBorders& borders_;
  int side_;
  std::function<bool(const CutSegment&)> counts_;
  std::unordered_map<std::uint32_t, std::vector<BorderStretch>> found_;
};

}  // namespace fitup::detail
