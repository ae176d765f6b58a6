#pragma once

#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS_Shape.hxx>

#include <optional>
#include <string>
#include <vector>

#include "document_styles.h"

namespace fitup::importers {

/// Faces with how they look.
struct StyledFaces {
  TopTools_IndexedMapOfShape faces;
  std::vector<FaceStyle> styles;  ///< by face
};

/// A compound of the faces that `faces` has a style of and that `shape` holds.
struct ConnectedFaces {
  TopoDS_Shape shape;
  StyledFaces faces;
  bool isClosed = false;
};

/// Joins faces of which nothing says where they meet, as files of surfaces have them: faces whose edges are
/// nearer to each other than the tolerance share them then, have their outsides on one side, and in closed
/// sets outside. One set for all faces that hang together, in the order of their first faces. Nothing where
/// the library fails.
std::optional<std::vector<ConnectedFaces>> connectedSets(const StyledFaces& faces, double tolerance);

/// The same of faces as they are: those hang together that share an edge.
std::vector<ConnectedFaces> setsThatShareEdges(const StyledFaces& faces);
/// Faces that do not meet their neighbours, so that nobody knows what belongs together: many sets, most of
/// them of one face.
bool areScattered(const std::vector<ConnectedFaces>& sets);

/// For faces of this extent: far below any chord error, and above what writers of single precision lose.
double sewingTolerance(const TopoDS_Shape& shape);

}  // namespace fitup::importers
