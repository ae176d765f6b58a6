#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fitup/base/progress.h>

namespace FITUP_EXPORT fitup {

struct Model;

/// Files that are read in the same way.
enum class FileFamily {
  model,    ///< model files; `ImportSettings` have no effect on them
  cad,      ///< fitup-import-cad
  mesh,     ///< fitup-import-mesh
  osg,      ///< fitup-import-osg: the formats of OpenSceneGraph, and those that only it reads
  project,  ///< project_file.h
  track,    ///< track_file.h
};

/// A file extension and its format.
struct FileFormat {
  std::string_view extension;  ///< in lower case, with the dot
  FileFamily family;
  std::string_view label;  ///< for people
  /// Writes a model in this format, atomically; null if that is not supported. Throws as `writeModelFile`,
  /// `writeObj`, `writeGltf`.
  void (*write)(const std::filesystem::path& file, const Model& model, const Progress& progress) = nullptr;

  /// True if `readAssembly` reads the format.
  [[nodiscard]] bool isModel() const noexcept {
    return family != FileFamily::project && family != FileFamily::track;
  }
};

/// All formats of models, projects and tracks. Readers, dialogs, help and messages use this list;
/// docs/reference/formats.md describes the formats. Reports have their own list (report_file.cpp).
std::span<const FileFormat> fileFormats() noexcept;

/// The extension with its dot; A to Z are lowered, independent of the locale.
std::string lowerExtension(const std::filesystem::path& file);
/// The format of a file by its extension, in any case; null if it has none of these.
const FileFormat* formatOf(const std::filesystem::path& file);
/// The family of a file by its extension; empty for files that cannot be read.
std::optional<FileFamily> fileFamilyOf(const std::filesystem::path& file);
/// Name of the importer program; empty for a family that needs none.
std::string_view importerOf(FileFamily family) noexcept;

/// The extensions of the chosen formats in one line, with the given separators: ".json .csv" or ".json or
/// .csv".
std::string extensionList(bool (*chosen)(const FileFormat&), std::string_view between = " ",
                          std::string_view beforeLast = " ");

}  // namespace fitup
