#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fitup/base/digest.h>
#include <fitup/base/shared_array.h>
#include <fitup/scene/assembly.h>
#include <fitup/scene/scene.h>

namespace FITUP_EXPORT fitup {

/// A warning of an importer. `incomplete` says that geometry is missing (an untessellated face, a missing
/// external file). A check that finds nothing then exits with code 3.
struct ImportWarning {
  std::string element;  ///< path of the part or instance and ordinal of the face, in the user's terms
  std::string message;
  bool incomplete = false;
  friend bool operator==(const ImportWarning&, const ImportWarning&) = default;
};

/// Another file that the source refers to: read with it, or missing.
struct CompanionFile {
  std::string path;  ///< relative to the source's folder
  Digest digest;     ///< of the bytes read; unknown: it was missing or unreadable
  friend bool operator==(const CompanionFile&, const CompanionFile&) = default;
};

/// The origin of a model; decides whether a cached model is stale.
struct ModelSource {
  std::string path;           ///< of the source, as given; empty for generated models
  Digest digest;              ///< of the source's bytes; unknown for generated models
  std::string importOptions;  ///< canonical text of all options that change the result
  std::vector<CompanionFile> referencedFiles;
  friend bool operator==(const ModelSource&, const ModelSource&) = default;
};

/// The B-rep from which a part was tessellated, for finer tessellation later: in Open CASCADE's binary format
/// (BinTools), in the part's frame and unit. Its face i is surface i of the mesh. Empty if there is none.
/// Only an importer, which is confined, may parse one that comes from a file.
using ExactShape = SharedArray<std::byte>;

/// The contents of a model file.
struct Model {
  Assembly assembly;
  /// By PartId; empty if the file has meshes only, as importers write it.
  CollisionModels collisionModels;
  /// By PartId; empty if no part has one.
  std::vector<ExactShape> exactShapes;
  ModelSource source;
  std::vector<ImportWarning> warnings;
  /// Files that were not read because the cache had a model of the same bytes. Model files do not store this.
  std::vector<std::string> fromCache;
};

/// The scene of a model. Throws as `Scene`.
Scene sceneOf(const Model& model);

/// Writes a model file atomically (a temporary file beside it, then a rename). Throws FileError, and
/// CancelledError, which leaves the old file.
void writeModelFile(const std::filesystem::path& file, const Model& model, const Progress& progress = {});

/// The trust in a model file.
enum class Trust {
  /// None: the file comes from somewhere else. It is read into memory, and its hierarchies are checked
  /// against the triangles.
  none,
  /// The user vouches that the hierarchies belong to the triangles. The file is read into memory; the
  /// contents of the hierarchies are trusted. Wrong ones cannot cause damage, but can hide interferences.
  hierarchies,
  /// This program made the file, in a folder that nobody else can write (the cache). It is also mapped
  /// instead of read.
  file,
};

/// Reads a model file. Arrays stay in the bytes of the file, which the meshes of the model share. Header and
/// block directory are checked at once; the checksum of a block before its first use, then its contents. With
/// `Trust::none` no result depends on the hierarchies in the file: a tree that does not hold exactly the
/// triangles of the mesh, or has a box, a frame or a cylinder that does not contain everything below it, is
/// an InputError.
///
/// Throws FileError (cannot be opened, changed while it was read), InputError (not a model file, other
/// version, damaged or wrong; names the block and the part), and CancelledError.
Model readModelFile(const std::filesystem::path& file, const Progress& progress = {},
                    Trust trust = Trust::none);

/// The contents of a model file in memory, and the reverse with `Trust::none`, for models that are stored
/// inside other files. Arrays share a copy of the bytes; `name` stands for the file in messages. Both throw
/// InputError as the functions for files do.
std::string modelFileBytes(const Model& model);
Model readModelBytes(std::span<const std::byte> bytes, const std::string& name);

/// The source entry alone, without reading the blocks of meshes. Empty if the file is absent, damaged or of a
/// different version.
std::optional<ModelSource> readModelFileSource(const std::filesystem::path& file);

}  // namespace fitup
