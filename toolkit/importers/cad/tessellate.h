#pragma once

#include <Message_ProgressRange.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS_Shape.hxx>

#include <functional>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>
#include <fitup/mesh/triangle_mesh.h>

#include "document_styles.h"

namespace fitup::importers {

/// A part to tessellate. Its frame is the shape's without the shape's own location.
struct PartShape {
  std::string name;
  TopoDS_Shape shape;                ///< without location
  TopTools_IndexedMapOfShape faces;  ///< distinct faces of `shape`, in order: the surfaces of the part
  std::vector<FaceStyle> styles;     ///< by face
};

/// In their order.
TopoDS_Shape compoundOf(const TopTools_IndexedMapOfShape& faces);

/// Has Open CASCADE make the triangulations of faces. They depend on nothing but the faces, in their order,
/// and the deflection. Throws what it throws.
void triangulate(const TopTools_IndexedMapOfShape& faces, const Deflection& deflection,
                 const Message_ProgressRange& progress);

/// One surface for each face, in their order, with the feature edges between them. The mesh's deflection is
/// the one asked for, or what its spheres are off by, if that is more. A face that could not be tessellated
/// becomes an empty surface and a warning. `hasTriangulations`: `triangulate` was called for its faces.
/// `moved` gets the fraction that is done, from any thread. Changes the shape's faces and edges while it
/// runs. Throws InputError naming part and face for coordinates that are not finite.
TriangleMesh tessellate(const PartShape& part, const Deflection& deflection, bool hasTriangulations,
                        std::vector<ImportWarning>& warnings, const std::function<void(double)>& moved);

}  // namespace fitup::importers
