#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/io/formats.h>
#include <fitup/io/model_file.h>

namespace FITUP_EXPORT fitup {

/// What `ImportSettings::unit` may be.
constexpr std::array<std::string_view, 5> lengthUnits{"mm", "cm", "m", "in", "ft"};
bool isLengthUnit(std::string_view unit) noexcept;
/// Of one of `lengthUnits`; nothing for another.
std::optional<double> millimetresPer(std::string_view unit) noexcept;
/// What `ImportSettings::encoding` may be, besides empty.
constexpr std::array<std::string_view, 7> textEncodings{"utf-8",  "gbk",     "shift-jis",   "big5",
                                                        "euc-jp", "latin-1", "windows-1252"};
bool isTextEncoding(std::string_view encoding) noexcept;

/// What the surfaces of a scene (osg) are.
enum class SceneSurfaces {
  drawables,
  primitiveSets,  ///< those of each drawable
  smoothPatches,  ///< of each drawable, by `ImportSettings::segmentationAngle`
};
std::string_view name(SceneSurfaces surfaces) noexcept;
std::optional<SceneSurfaces> sceneSurfacesFromName(std::string_view name) noexcept;

/// What becomes of a file's geometry. Fields marked (cad), (mesh) and (osg) matter for those families only
/// (`FileFamily`).
struct ImportSettings {
  /// (cad) Chord error of the tessellation in mm, at most. Smaller: finer meshes, slower queries.
  double linearDeflection = 0.1;
  /// (cad) The same as a share of the part's extent, where that is less: what is fine for a frame is coarse
  /// for a bearing of 6 mm. 0: the same chord error for all parts.
  double relativeDeflection = 0.004;
  /// (cad) Angle between neighbouring facets in radians. Smaller: finer curves.
  double angularDeflection = 0.5;
  /// (cad) A part for each product, not for each of its solids: interference between these is then not seen.
  bool mergeSolids = false;
  /// (cad) How names are encoded that are neither ASCII nor written as ISO 10303-21 has it, one of
  /// `textEncodings`; empty: recognised.
  std::string encoding;
  /// (mesh, osg) Unit of the file's numbers, one of mm, cm, m, in, ft, for files that do not say (glTF is in
  /// metres by its specification).
  std::string unit = "mm";
  /// The same for each of several files, in their order: in place of `unit` where there is one that is not
  /// empty.
  std::vector<std::string> fileUnits;
  /// (mesh, osg) Axis of the file that points up, for files that do not say (glTF is y up by its
  /// specification). How things are shown; coordinates stay the file's.
  UpAxis upAxis = UpAxis::z;
  /// (mesh, osg) Largest angle between normals within a smooth patch, in degrees; unset: the file's groups,
  /// or one surface. Scenes are divided so only if `sceneSurfaces` says it.
  std::optional<double> segmentationAngle = 30.0;
  /// (osg) What a surface is. Models of CAD files that a scene brings along keep their faces.
  SceneSurfaces sceneSurfaces = SceneSurfaces::drawables;
  friend bool operator==(const ImportSettings&, const ImportSettings&) = default;
};

/// Sets what becomes of surfaces by one word: an angle in degrees (smooth patches of meshes, and of drawables
/// of scenes), "smooth" (the same at 30 degrees), "primitives" (primitive sets of scenes; of meshes as by
/// default) or "none" (neither). Throws InputError that begins with `option`.
void setSegmentation(ImportSettings& settings, std::string_view option, std::string_view word);

/// How a file is read.
struct ReadOptions : ImportSettings {
  /// Hierarchies are built with these. The cache keeps the surface R-tree and the wide tree; the other kinds
  /// are built after each reading.
  BuildOptions build;

  /// Folder that the references of files must lead below; unset: each file's own. What leads elsewhere is not
  /// read, and a warning says so.
  std::optional<std::filesystem::path> root;

  /// Keep what was imported in a folder of the user's (`ModelCache`), and read that instead of a file of the
  /// same bytes that is imported in the same way.
  bool useCache = false;
  /// Unset: `ModelCache::userFolder()`. A folder that cannot be used is as good as no cache.
  std::optional<std::filesystem::path> cacheFolder;
  /// Believe the hierarchies that model files hold without checking them against the triangles
  /// (`Trust::hierarchies`). Reads large files faster; a forged one may then hide interferences.
  bool trustModelFiles = false;
  /// The importer may use this much address space; more ends it with a clear error.
  std::size_t importerMemoryLimit = std::size_t{16} << 30;
  /// An importer that reports no progress for so long is ended.
  std::chrono::seconds noProgressLimit{60};
  /// Folder of the importer programs; unset: the one that the environment variable FITUP_IMPORTERS names,
  /// else beside the running program and, where that is in a folder bin, ../libexec/fitup; then, where this
  /// code is in a shared library (for hosts that are installed elsewhere), bin and libexec/fitup beside the
  /// folder lib that this is in, at most two folders deep; then the folders of PATH and ../libexec/fitup of
  /// each; then libexec/fitup of the prefix that the build was configured for (CMAKE_INSTALL_PREFIX). Where
  /// the importer is in none of them, the error names them.
  std::optional<std::filesystem::path> importerFolder;
};

/// Reads an assembly of any supported format, with collision models built.
///
/// A model file (`.fitup`) is checked and read; everything else goes through an importer in a child process,
/// so that a reader that crashes, hangs or eats memory ends in an ImportError that says so. The importer is
/// confined to the file's folder and to copies of what it reads, so the model is of the bytes whose digest
/// its `source` says, whatever happens to the file meanwhile. Throws FileError, InputError, ImportError,
/// CancelledError.
Model readAssembly(const std::filesystem::path& file, const ReadOptions& options = {},
                   const Progress& progress = {});

/// What keeps each importer to reading files, a line each, as it says itself: for users who want to know what
/// their system has. Importers that are not installed are left out.
std::vector<std::string> confinementOfImporters(const ReadOptions& options = {});

/// Reads several files into one assembly: a root node for each, in their order, named as the file is without
/// folder and extension. The first one decides which axis points up and which unit the assembly has: files of
/// another unit stand there scaled. Elements of warnings are named below the node of their file. A single
/// file is read as `readAssembly` does, without such a node. Files whose units are taken from the options and
/// whose boxes differ by the ratio of two units get a warning.
///
/// Throws as `readAssembly`, and InputError for no file.
Model readAssemblies(std::span<const std::filesystem::path> files, const ReadOptions& options = {},
                     const Progress& progress = {});
/// The names of files as one text, "a.stl, b.stl": what reports name as the model that several files became,
/// and `ModelSource::path` of it.
std::string joinedNames(std::span<const std::filesystem::path> files);

}  // namespace fitup
