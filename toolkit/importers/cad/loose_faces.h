#pragma once

#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS_Shape.hxx>

#include <optional>
#include <string>
#include <vector>

#include "document_styles.h"

namespace fitup::importers {

/// Faces with their styles.
struct StyledFaces {
  TopTools_IndexedMapOfShape faces;
  std::vector<FaceStyle> styles;  ///< by face
};

/// A compound of faces with a style in `faces`, from a shape.
struct ConnectedFaces {
  TopoDS_Shape shape;
  StyledFaces faces;
  bool isClosed = false;
};

/// Joins faces without topology between them, as files of surfaces hold them. Faces whose edges are closer to
/// each other than the tolerance then share these edges and are oriented consistently, outwards in closed
/// sets. Returns one set for all connected faces, in the order of their first faces. Empty if the library
/// fails.
std::optional<std::vector<ConnectedFaces>> connectedSets(const StyledFaces& faces, double tolerance);

/// Returns the sets of faces that already share edges.
std::vector<ConnectedFaces> setsThatShareEdges(const StyledFaces& faces);
/// Whether faces do not meet their neighbours, so that their groups are unknown: many sets, most of them with
/// one face.
bool areScattered(const std::vector<ConnectedFaces>& sets);

/// The tolerance for faces of this extent: far below any chord error, and above the loss of writers in single
/// precision.
double sewingTolerance(const TopoDS_Shape& shape);

}  // namespace fitup::importers
