#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fitup/io/model_file.h>
#include <fitup/mesh/surface.h>
#include <fitup/mesh/triangle_mesh.h>

#include "part21_entities.h"
#include "part21_file.h"

namespace fitup::importers {

/// A face or a set of triangles: a surface of a part.
struct TessellatedFace {
  std::uint64_t entity = 0;
  std::string name;
  std::optional<Colour> colour;
  std::vector<Vec3> corners;  ///< three for each triangle, in mm, in the product's frame
};

/// A TESSELLATED_SOLID or TESSELLATED_SHELL, or the faces of a product outside of them.
struct TessellatedBody {
  std::string name;
  bool isSolid = false;
  std::vector<TessellatedFace> faces;
  std::vector<std::string> layers;  ///< of the body, its faces and what it is in; in any order
};

/// Makes the mesh of a body, in which faces share points with equal coordinates. The deflection is not set,
/// because files do not give the distance of their triangles from the exact shape. Throws InputError or
/// RangeError for coordinates that a mesh cannot have.
TriangleMesh meshOf(const TessellatedBody& body, const std::string& partName);

/// The tessellated shapes of a product.
struct TessellatedProduct {
  std::uint64_t definition = 0;      ///< its PRODUCT_DEFINITION
  std::vector<std::uint64_t> items;  ///< items of its representations
  std::vector<TessellatedBody> bodies;
  std::vector<ImportWarning> warnings;  ///< about what is left out of `bodies`
};

struct StepTessellation {
  std::vector<TessellatedProduct> products;  ///< by their definitions
  /// Stretches to hide from a library that does not know tessellated geometry, ascending and disjoint. The
  /// library then takes tessellated representations for representations of shapes with placements only.
  std::vector<TextSpan> hidden;
  std::vector<std::uint64_t> items;     ///< items of all products, ascending
  std::vector<ImportWarning> warnings;  ///< about what belongs to no product
};

/// Reads the tessellated shapes of a STEP file (AP242; ISO 10303-42, tessellated items) from its text. A
/// product has the items of its representation, and of those to which SHAPE_REPRESENTATION_RELATIONSHIPs
/// without a transformation lead. A damaged item is left out with a warning; triangles of annotations are not
/// shapes. Throws InputError for a file that repeats its items more often than any real file.
StepTessellation readTessellation(std::string_view text, const Part21Entities& entities);

}  // namespace fitup::importers
