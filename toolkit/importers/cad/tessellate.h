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

/// A part to tessellate. Its frame is that of the shape without the shape's own location.
struct PartShape {
  std::string name;
  TopoDS_Shape shape;                ///< without location
  TopTools_IndexedMapOfShape faces;  ///< distinct faces of `shape`, in order: the surfaces of the part
  std::vector<FaceStyle> styles;     ///< by face
};

/// Returns them in their order.
TopoDS_Shape compoundOf(const TopTools_IndexedMapOfShape& faces);

/// Faces that get a chord error of their own.
struct FineFaces {
  TopTools_IndexedMapOfShape faces;
  double linear = 0;
};

/// Lets Open CASCADE make the triangulations of faces. They depend only on the faces, in their order, and the
/// deflections. Throws what Open CASCADE throws.
void triangulate(const TopTools_IndexedMapOfShape& faces, const Deflection& deflection,
                 const Message_ProgressRange& progress, const FineFaces& fine = {});

/// Makes a mesh with one surface for each face, in their order, and the feature edges between them. The
/// mesh's deflection is the requested one, or the largest chord error of its faces if that is larger. A face
/// that could not be tessellated becomes an empty surface and a warning. `hasTriangulations`: `triangulate`
/// was called for its faces. `moved` receives the fraction that is done, from any thread. Changes the shape's
/// faces and edges while it runs. Throws InputError, naming part and face, for coordinates that are not
/// finite.
TriangleMesh tessellate(const PartShape& part, const Deflection& deflection, bool hasTriangulations,
                        std::vector<ImportWarning>& warnings, const std::function<void(double)>& moved,
                        const FineFaces& fine = {});

}  // namespace fitup::importers
