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
  model,    ///< has been read before, so that `ImportSettings` change nothing
  cad,      ///< fitup-import-cad
  mesh,     ///< fitup-import-mesh
  osg,      ///< fitup-import-osg: OpenSceneGraph's own, and those that only it reads
  project,  ///< project_file.h
  track,    ///< track_file.h
};

/// One extension and what stands behind it.
struct FileFormat {
  std::string_view extension;  ///< in lower case, with its dot
  FileFamily family;
  std::string_view label;  ///< for people
  /// Writes a model as such a file, atomically; null where that is not done. Throws as `writeModelFile`,
  /// `writeObj`, `writeGltf`.
  void (*write)(const std::filesystem::path& file, const Model& model, const Progress& progress) = nullptr;

  /// `readAssembly` reads it.
  [[nodiscard]] bool isModel() const noexcept {
    return family != FileFamily::project && family != FileFamily::track;
  }
};

/// All formats of models, projects and tracks. Readers, dialogs, help and messages take them from here;
/// docs/reference/formats.md describes them. Reports have a table of their own (report_file.cpp).
std::span<const FileFormat> fileFormats() noexcept;

/// The extension with its dot; the letters A to Z in small, whatever the locale.
std::string lowerExtension(const std::filesystem::path& file);
/// By its extension, in capitals too; null for a file that is none of these.
const FileFormat* formatOf(const std::filesystem::path& file);
/// Nothing for files that cannot be read.
std::optional<FileFamily> fileFamilyOf(const std::filesystem::path& file);
/// The importer's program; empty for a family that needs none.
std::string_view importerOf(FileFamily family) noexcept;

/// The extensions of the chosen formats in one line: ".json .csv", or ".json or .csv" with the words between.
std::string extensionList(bool (*chosen)(const FileFormat&), std::string_view between = " ",
                          std::string_view beforeLast = " ");

}  // namespace fitup
