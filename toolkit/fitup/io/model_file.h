#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fitup/base/digest.h>
#include <fitup/scene/assembly.h>
#include <fitup/scene/interference.h>

namespace fitup {

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
  std::vector<CompanionFile> companions;
  friend bool operator==(const ModelSource&, const ModelSource&) = default;
};

/// All that a model file holds.
struct Model {
  Assembly assembly;
  /// By PartId; empty if the file carries meshes only (what an importer hands back).
  CollisionModels collisionModels;
  ModelSource source;
  std::vector<ImportWarning> warnings;
  /// Files of which not they themselves were read but what a cache had of the same bytes; no model file keeps
  /// this.
  std::vector<std::string> fromCache;
};

/// Writes atomically (a temporary file beside it, then a rename). Throws FileError, and CancelledError, which
/// leaves the old file.
void writeModelFile(const std::filesystem::path& file, const Model& model, const Progress& progress = {});

/// Maps the file; arrays stay in the mapping and are shared with the model's meshes. Header and block
/// directory are checked at once, each block's checksum before its first use (here: all, since meshes are
/// validated on creation). Throws FileError (cannot be opened) or InputError (not a model file, other
/// version, damaged: names the block), and CancelledError.
Model readModelFile(const std::filesystem::path& file, const Progress& progress = {});

/// What `writeModelFile` writes, in memory, and back: for models that are kept inside other files. Arrays
/// share a copy of the bytes; `name` stands for the file in messages. Throw InputError as those do.
std::string modelFileBytes(const Model& model);
Model readModelBytes(std::span<const std::byte> bytes, const std::string& name);

/// The source entry alone, without reading the blocks of meshes. Nothing if the file is absent, damaged or of
/// another version.
std::optional<ModelSource> readModelFileSource(const std::filesystem::path& file);

}  // namespace fitup
