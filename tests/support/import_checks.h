#pragma once

#include <filesystem>
#include <optional>

#include <fitup/io/read_assembly.h>

namespace fitup::test {

/// Reads through the importers of this build, without a cache.
Model import(const std::filesystem::path& file, ReadOptions options = {});

/// The importers of this build; empty if their library is absent.
std::optional<std::filesystem::path> cadImporter();
std::optional<std::filesystem::path> meshImporter();
std::optional<std::filesystem::path> osgImporter();
/// Returns true if the mesh importer of this build reads STL, glTF and 3DS.
bool hasAssimp();

/// Sums over the instances; a part counts at each of them.
struct ImportCounts {
  std::size_t instances = 0, parts = 0, faces = 0, untessellated = 0, triangles = 0;
};
ImportCounts countsOf(const Model& model);

/// Returns the volume that the triangles enclose, in the part's unit; positive if normals point outwards.
double signedVolume(const TriangleMesh& mesh);

/// Returns true if a warning says that geometry is missing.
bool isIncomplete(const Model& model);

}  // namespace fitup::test
