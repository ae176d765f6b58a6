#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include <fitup/scene/assembly.h>
#include <fitup/scene/interference.h>

namespace fitup::detail {

/// A surface as a report names it.
struct ReportedSurface {
  std::uint32_t ordinal = 0;
  std::string name;         ///< as the file gives it; may be empty
  std::string description;  ///< "cylinder d 12"; empty where the file has none
};

/// A pair of surfaces with its pairs of triangles, by their indices in the source.
struct ReportedSurfacePair {
  ReportedSurface a, b;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> triangles;
};

/// Turns ids into what users know; shared by all forms of a report.
class ReportNames {
 public:
  explicit ReportNames(const Assembly& assembly) : assembly_(assembly) {}
  const std::string& path(NodeId node);
  /// In the order of the report; triangles sorted by ids.
  [[nodiscard]] std::vector<ReportedSurfacePair> surfacePairs(const PairInterference& pair) const;

 private:
  [[nodiscard]] const TriangleMesh& meshOf(NodeId node) const {
    return assembly_.part(*assembly_.node(node).part);
  }
  const Assembly& assembly_;
  std::unordered_map<std::uint32_t, std::string> paths_;
};

}  // namespace fitup::detail
