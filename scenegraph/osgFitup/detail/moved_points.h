#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <osg/Node>

#include <fitup/mesh/triangle_mesh.h>
#include <osgFitup/part_model.h>

namespace osgFitup::detail {

/// The points of a part's mesh, where its drawables show them.
class MovedPoints {
 public:
  MovedPoints(osg::Node& node, const PartModel& part);
  std::vector<fitup::Vec3> points;  ///< in the part's frame, before rounding
  std::string problem;              ///< why they cannot be found; empty if they can
  bool isRenumbered = false;        ///< triangles belong to other primitives than the model records

  /// Whether the points of a surface's triangles, rounded to the mesh's storage, equal those of the mesh.
  [[nodiscard]] bool areWhereTheyWere(const fitup::Surface& surface) const;

 private:
  /// Takes the points of the surfaces [begin, end) of one drawable.
  void take(const osg::NodePath& path, const PartModel& part, std::uint32_t begin, std::uint32_t end);

  const fitup::TriangleMesh& mesh_;
  std::vector<char> isSet_;
};

}  // namespace osgFitup::detail
