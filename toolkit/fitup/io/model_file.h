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

/// Something an importer noticed. `incomplete` says that geometry is missing from the answer (an
/// untessellated face, a missing external file): a check that finds nothing then exits with code 3.
struct ImportWarning {
  std::string element;  ///< path of the part or instance and ordinal of the face, as the user knows it
  std::string message;
  bool incomplete = false;
  friend bool operator==(const ImportWarning&, const ImportWarning&) = default;
};

/// Another file that the source refers to: read with it, or missing.
struct CompanionFile {
  std::string path;  ///< relative to the source's folder
  Digest digest;     ///< of what was read; unknown: it was not there, or could not be read
  friend bool operator==(const CompanionFile&, const CompanionFile&) = default;
};

/// Where a model came from; decides whether what a cache holds is stale.
struct ModelSource {
  std::string path;           ///< of the source, as given; empty for generated models
  Digest digest;              ///< of the source's bytes; unknown for generated models
  std::string importOptions;  ///< canonical text of all options that change the result
  std::vector<CompanionFile> referencedFiles;
  friend bool operator==(const ModelSource&, const ModelSource&) = default;
};

/// The B-rep that a part was tessellated from, for finer tessellation later: in Open CASCADE's binary format
/// (BinTools), in the part's frame and unit; its face i is the mesh's surface i. Empty: there is none. Nobody
/// but an importer, which is confined, may read what a file from elsewhere says it is.
using ExactShape = SharedArray<std::byte>;

/// All that a model file holds.
struct Model {
  Assembly assembly;
  /// By PartId; empty if the file carries meshes only (what an importer hands back).
  CollisionModels collisionModels;
  /// By PartId; empty if no part has one.
  std::vector<ExactShape> exactShapes;
  ModelSource source;
  std::vector<ImportWarning> warnings;
  /// Files of which not they themselves were read but what a cache had of the same bytes; no model file keeps
  /// this.
  std::vector<std::string> fromCache;
};

/// The scene of what a model holds. Throws as `Scene`.
Scene sceneOf(const Model& model);

/// Writes atomically (a temporary file beside it, then a rename). Throws FileError, and CancelledError, which
/// leaves the old file.
void writeModelFile(const std::filesystem::path& file, const Model& model, const Progress& progress = {});

/// What is taken for granted of a model file.
enum class Trust {
  /// Nothing: from somewhere else. It is read into memory, and its hierarchies are checked against the
  /// triangles.
  none,
  /// That the hierarchies are those of the triangles, as the user says of a file. It is read into memory;
  /// what hierarchies hold is believed. Wrong ones cannot do harm, but hide interferences.
  hierarchies,
  /// That this program has made it, in a folder that nobody else can write (the cache). It is mapped,
  /// too.
  file,
};

/// Arrays stay in the bytes of the file, which the model's meshes share. Header and block directory are
/// checked at once, each block's checksum before its first use, then what it holds. With `Trust::none` no
/// answer depends on what the file says of its hierarchies: a tree that does not hold exactly the mesh's
/// triangles, or has a box, a frame or a cylinder that does not contain all below it, is an InputError.
///
/// Throws FileError (cannot be opened, changed while it was read) or InputError (not a model file, other
/// version, damaged, wrong: names the block and the part), and CancelledError.
Model readModelFile(const std::filesystem::path& file, const Progress& progress = {},
                    Trust trust = Trust::none);

/// What `writeModelFile` writes, in memory, and back with `Trust::none`: for models that are kept inside
/// other files. Arrays share a copy of the bytes; `name` stands for the file in messages. Throw InputError as
/// those do.
std::string modelFileBytes(const Model& model);
Model readModelBytes(std::span<const std::byte> bytes, const std::string& name);

/// The source entry alone, without reading the blocks of meshes. Nothing if the file is absent, damaged or of
/// another version.
std::optional<ModelSource> readModelFileSource(const std::filesystem::path& file);

}  // namespace fitup
