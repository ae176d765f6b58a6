#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fitup/io/read_assembly.h>

namespace fitup::test {

/// The contents of a STEP or IGES file according to Open CASCADE alone (support/brep_census.cpp), in mm.
struct Census {
  struct Face {
    double area = 0;
    Vec3 centroid;  ///< in the body's frame
    double edgeLength = 0;
    std::optional<double> triangleArea;  ///< empty if tessellation left it without triangles
    bool isValid = false;                ///< by BRepCheck
  };
  /// A distinct solid, or faces outside of solids that are connected by shared edges.
  struct Body {
    std::string name;
    bool isSolid = false;
    int openEdges = 0;      ///< not used equally often in both directions
    double volume = 0;      ///< volume of a solid
    double chordError = 0;  ///< chord error of its tessellation
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

/// Runs a separate program, because damaged files crash Open CASCADE. Throws std::runtime_error with the
/// reason if it opens nothing, crashes, or takes longer than half an hour. Available only if the CAD importer
/// is built.
Census takeCensus(const std::filesystem::path& file, const ImportSettings& settings = {});

/// The seconds that Open CASCADE alone takes on one thread for a STEP file, without starting and ending the
/// process.
struct OpenCascadeTimes {
  double read = 0, transfer = 0, mesh = 0;
};
/// Throws std::runtime_error like `takeCensus`.
OpenCascadeTimes timeOpenCascade(const std::filesystem::path& file);

/// Runs a program that reads a CAD file with Open CASCADE alone and returns its output. Throws as
/// `takeCensus`, with this limit of its time.
std::string outputOfOpenCascade(const char* program, const std::filesystem::path& file,
                                const std::vector<std::string>& settings,
                                std::chrono::minutes limit = std::chrono::minutes(30));
/// The settings as arguments of such a program.
std::vector<std::string> argumentsOf(const ImportSettings& settings);

/// Returns all STEP and IGES files in a folder and those below it, in the order of their paths.
std::vector<std::filesystem::path> cadFilesBelow(const std::filesystem::path& folder);

/// The comparison of an import with a census, body by body.
struct CensusComparison {
  /// The number of distinct ones, and of their occurrences in the file.
  struct Count {
    std::size_t distinct = 0, occurrences = 0;
  };
  Count solids, sheets;                     ///< counts of the census
  Count partsOfSolids, partsOfSheets;       ///< counts of the import
  Count tessellatedParts;                   ///< already triangles in the file
  std::size_t emptyParts = 0;               ///< instances of products without faces, each with a warning
  std::size_t faces = 0, facesOfParts = 0;  ///< faces of distinct bodies, and of distinct parts made of them
  std::size_t invalid = 0;                  ///< faces that BRepCheck finds invalid
  std::size_t untessellated = 0;            ///< faces that Open CASCADE alone leaves without triangles
  std::size_t partlyTessellated = 0;        ///< faces whose triangles do not have the face's area
  std::size_t untessellatedOfParts = 0;     ///< faces that the import leaves without triangles
  std::size_t closedSolids = 0,
              closedParts = 0;  ///< solids without an open edge; of these, watertight meshes

  /// Faults of the import: a body or face that is lost, invented or elsewhere; a mesh of a closed solid that
  /// is open or has another volume.
  std::vector<std::string> differences;
  /// Faces that are left out and may be, because they are invalid or smaller than the chord error.
  std::vector<std::string> leftOut;
};

/// Compares an import with a census. Each occurrence of a solid must be one instance of the model that has
/// exactly its faces, and each occurrence of a sheet must lie within one. Faces are identified by their
/// places in the world and their areas, within the chord error. There must be one part for each distinct
/// solid, and every instance must be a body, except for products without faces, which have a warning, and
/// parts that are triangles in the file.
CensusComparison compare(const Census& census, const Model& model);

}  // namespace fitup::test
