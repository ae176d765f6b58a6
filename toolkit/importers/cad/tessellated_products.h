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

/// A TESSELLATED_SOLID or TESSELLATED_SHELL, or what a product has of faces outside of any.
struct TessellatedBody {
  std::string name;
  bool isSolid = false;
  std::vector<TessellatedFace> faces;
};

/// Faces that have points of the same coordinates share these. The deflection is not set: files do not say
/// how far their triangles are from the shape that they stand for. Throws InputError or RangeError for
/// coordinates that no mesh can have.
TriangleMesh meshOf(const TessellatedBody& body, const std::string& partName);

/// What a product has of tessellated shapes.
struct TessellatedProduct {
  std::uint64_t definition = 0;      ///< its PRODUCT_DEFINITION
  std::vector<std::uint64_t> items;  ///< of its representations
  std::vector<TessellatedBody> bodies;
  std::vector<ImportWarning> warnings;  ///< of what is left out of `bodies`
};

struct StepTessellation {
  std::vector<TessellatedProduct> products;  ///< by their definitions
  /// What a library that does not know tessellated geometry may not see, ascending and apart: then it takes
  /// tessellated representations for representations of shapes that have placements alone.
  std::vector<TextSpan> hidden;
  std::vector<std::uint64_t> items;     ///< of all products, ascending
  std::vector<ImportWarning> warnings;  ///< of what no product has
};

/// Reads the tessellated shapes of a STEP file (AP242; ISO 10303-42, tessellated items) out of its text. A
/// product has what stands in its representation, and in those that SHAPE_REPRESENTATION_RELATIONSHIPs
/// without a transformation lead to. An item that is damaged is left out with a warning; triangles of
/// annotations are no shapes. Throws InputError for a file that uses its items more often than any would.
StepTessellation readTessellation(std::string_view text, const Part21Entities& entities);

}  // namespace fitup::importers
