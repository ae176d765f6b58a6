#pragma once

#include <cstdint>
#include <vector>

#include <osg/Drawable>
#include <osg/Geometry>

#include <fitup/mesh/triangle_mesh.h>
#include <osgFitup/detail/primitive_restart.h>
#include <osgFitup/part_model.h>

// What is exported is for the importer, the plugins and the tests.
namespace osgFitup::detail {

/// The array that a geometry takes its vertices from, as osg::Geometry::accept does: the vertex array,
/// without one vertex attribute 0. Null if there is neither.
FITUP_EXPORT const osg::Array* vertexArrayOf(const osg::Geometry& geometry);

/// The triangles that a drawable draws, whichever way its primitive sets give them.
struct DrawableTriangles {
  std::vector<fitup::Vec3> points;  ///< those of the vertex array, in the drawable's coordinates; exact
  std::vector<fitup::TriangleIndices> triangles;
  std::vector<std::uint32_t> primitives;  ///< per triangle, as `PrimitiveNumbering` counts; ascending

  // What is not among the triangles.
  std::size_t pointsAndLines = 0;     ///< primitives without an area
  std::size_t outOfRange = 0;         ///< primitives that name vertices which are not there
  std::size_t notFinite = 0;          ///< primitives at vertices that are not finite or above 2^100
  std::size_t unknownPrimitives = 0;  ///< primitive sets of a mode that draws no known primitive
};

/// Finite, and of a magnitude that a mesh can hold (`fitup::limits::largest`).
FITUP_EXPORT bool isUsable(const fitup::Vec3& point);

/// Vertices may be of two, three or four floats or doubles (the fourth divides). Strips, fans, polygons,
/// quads and quad strips are cut as osg::TriangleFunctor cuts them; an incomplete primitive at the end of a
/// set is none; indices that restart a primitive do. Nothing for a drawable that does not tell its
/// primitives. Shapes (`osg::ShapeDrawable`) share points where they would be off by rounding, so that those
/// are closed which are meant to be. `above` is what the nodes above the drawable say of restarts
/// (`restartAlong`); its own state set follows. Reads the drawable only.
FITUP_EXPORT DrawableTriangles trianglesOf(const osg::Drawable& drawable, const PrimitiveRestart& above = {});

/// The surface of each triangle among those of its drawable, numbered by their first triangles. A primitive
/// is never divided: it belongs where its first triangle does, so that primitives lead to surfaces. Smooth
/// patches are those of `fitup::segmentByDihedralAngle`. Drawables that are no geometries have no primitive
/// sets and are one surface then.
FITUP_EXPORT std::vector<std::uint32_t> surfacesWithin(const osg::Drawable& drawable,
                                                       const DrawableTriangles& triangles,
                                                       const SurfaceDivision& division);

/// Whether a drawable may draw an area, by the kinds of its primitives; true for one that does not tell them.
/// Not flat text; solid text where it has letters.
FITUP_EXPORT bool drawsArea(const osg::Drawable& drawable);

/// How many times primitives are drawn that are drawn more than once, where only a shader knows.
FITUP_EXPORT std::size_t copiesByShader(const osg::Drawable& drawable);

}  // namespace osgFitup::detail
