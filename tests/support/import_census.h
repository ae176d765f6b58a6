#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fitup/io/read_assembly.h>

namespace fitup::test {

/// What Open CASCADE alone makes of a STEP or IGES file (support/brep_census.cpp), in mm.
struct Census {
  struct Face {
    double area = 0;
    Vec3 centroid;  ///< in the body's frame
    double edgeLength = 0;
    std::optional<double> triangleArea;  ///< nothing: tessellating left it without triangles
    bool isValid = false;                ///< by BRepCheck
  };
  /// A distinct solid, or faces of no solid that hang together by edges they share.
  struct Body {
    std::string name;
    bool isSolid = false;
    int openEdges = 0;      ///< not used equally often in both directions
    double volume = 0;      ///< of a solid
    double chordError = 0;  ///< that it was tessellated with
    std::vector<Face> faces;
  };
  struct Occurrence {
    std::size_t body = 0;
    Transform worldFromBody;
  };
  std::string version;
  std::vector<Body> bodies;
  std::vector<Occurrence> occurrences;
};

/// By a program of its own, since damaged files crash Open CASCADE. Throws std::runtime_error that says why
/// where it opens nothing, crashes, or takes longer than half an hour. Only where the CAD importer is built.
Census takeCensus(const std::filesystem::path& file, const ImportSettings& settings = {});

/// Seconds that Open CASCADE alone takes on one thread for a STEP file, without what comes with a start and
/// an end.
struct OpenCascadeTimes {
  double read = 0, transfer = 0, mesh = 0;
};
/// Throws std::runtime_error as `takeCensus` does.
OpenCascadeTimes timeOpenCascade(const std::filesystem::path& file);

/// All STEP and IGES files in a folder and those below it, in the order of their paths.
std::vector<std::filesystem::path> cadFilesBelow(const std::filesystem::path& folder);

/// An import beside a census, body by body.
struct CensusComparison {
  /// Distinct ones, and how often they stand in the file.
  struct Count {
    std::size_t distinct = 0, occurrences = 0;
  };
  Count solids, sheets;                           ///< of the census
  Count partsOfSolids, partsOfSheets;             ///< of the import
  Count tessellatedParts;                         ///< that are triangles in the file already
  std::size_t emptyParts = 0;                     ///< instances of products without faces, of which it warns
  std::size_t faces = 0, facesOfParts = 0;        ///< of distinct bodies and of distinct parts made of them
  std::size_t invalid = 0;                        ///< faces of which BRepCheck says so
  std::size_t untessellated = 0;                  ///< faces that Open CASCADE alone leaves without triangles
  std::size_t partlyTessellated = 0;              ///< or with triangles whose area is not the face's
  std::size_t untessellatedOfParts = 0;           ///< faces that the import leaves without triangles
  std::size_t closedSolids = 0, closedParts = 0;  ///< solids without an open edge; of these, closed meshes

  /// Each is a fault of the import: a body or face that is lost, invented or elsewhere, a mesh that is open
  /// or of another volume though its solid is closed.
  std::vector<std::string> differences;
  /// Faces that are left out and may be: they are invalid or smaller than the chord error.
  std::vector<std::string> leftOut;
};

/// Each occurrence of a solid must be one instance of the model that has exactly its faces, and each
/// occurrence of a sheet must lie within one: faces are known by where they are in the world and by their
/// area, within what the chord error allows. There must be one part for each distinct solid, and no instance
/// that is no body, but for products without faces, of which it warns, and parts that are triangles in the
/// file.
CensusComparison compare(const Census& census, const Model& model);

}  // namespace fitup::test
