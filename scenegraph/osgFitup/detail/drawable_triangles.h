#pragma once

#include <cstdint>
#include <vector>

#include <osg/Drawable>
#include <osg/Geometry>

#include <fitup/mesh/triangle_mesh.h>
#include <osgFitup/detail/primitive_restart.h>
#include <osgFitup/part_model.h>

// Exported for the importer, the plugins and the tests.
namespace osgFitup::detail {

/// Returns the array that a geometry takes its vertices from, like osg::Geometry::accept: the vertex array,
/// or otherwise vertex attribute 0. Null if there is neither.
FITUP_EXPORT const osg::Array* vertexArrayOf(const osg::Geometry& geometry);

/// The triangles that a drawable draws, in whatever form its primitive sets hold them.
struct DrawableTriangles {
  std::vector<fitup::Vec3> points;  ///< those of the vertex array, in the drawable's coordinates; exact
  std::vector<fitup::TriangleIndices> triangles;
  std::vector<std::uint32_t> primitives;  ///< for each triangle, as `PrimitiveNumbering` counts; ascending

  // What is left out of the triangles.
  std::size_t pointsAndLines = 0;     ///< primitives without an area
  std::size_t outOfRange = 0;         ///< primitives with vertices that do not exist
  std::size_t notFinite = 0;          ///< primitives with vertices that are not finite or above 2^100
  std::size_t unknownPrimitives = 0;  ///< primitive sets whose mode draws no known primitive
};

/// Returns whether a point is finite and within the range of a mesh (`fitup::limits::largest`).
FITUP_EXPORT bool isUsable(const fitup::Vec3& point);

/// Returns the triangles of a drawable. Vertices may have two, three or four floats or doubles (the fourth
/// divides). Strips, fans, polygons, quads and quad strips are cut as osg::TriangleFunctor cuts them; an
/// incomplete primitive at the end of a set is ignored, and primitive restarts are respected. Empty for a
/// drawable that does not report its primitives. In shapes (`osg::ShapeDrawable`), points that differ only by
/// rounding are merged, so that solid shapes are watertight. `above` holds the restart state of the nodes
/// above the drawable (`restartAlong`); the drawable's own state set follows. Only reads the drawable.
FITUP_EXPORT DrawableTriangles trianglesOf(const osg::Drawable& drawable, const PrimitiveRestart& above = {});

/// Returns the surface of each triangle of a drawable; surfaces are numbered by their first triangles. A
/// primitive is never divided: it belongs to the surface of its first triangle, so that primitives lead to
/// surfaces. Smooth patches are those of `fitup::segmentByDihedralAngle`. A drawable that is not a geometry
/// has no primitive sets; by primitive sets it is one surface.
FITUP_EXPORT std::vector<std::uint32_t> surfacesWithin(const osg::Drawable& drawable,
                                                       const DrawableTriangles& triangles,
                                                       const SurfaceDivision& division);

/// Returns whether a drawable may draw an area, by the kinds of its primitives; true if it does not report
/// them. False for flat text; true for solid text with letters.
FITUP_EXPORT bool drawsArea(const osg::Drawable& drawable);

/// Returns the number of instances that instanced primitive sets draw; only a shader knows their places.
FITUP_EXPORT std::size_t copiesByShader(const osg::Drawable& drawable);

}  // namespace osgFitup::detail
