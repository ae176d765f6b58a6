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

/// The values of `ImportSettings::unit`.
constexpr std::array<std::string_view, 5> lengthUnits{"mm", "cm", "m", "in", "ft"};
bool isLengthUnit(std::string_view unit) noexcept;
/// Length in millimetres of a unit of `lengthUnits`; empty for any other text.
std::optional<double> millimetresPer(std::string_view unit) noexcept;
/// The values of `ImportSettings::encoding`, besides empty.
constexpr std::array<std::string_view, 7> textEncodings{"utf-8",  "gbk",     "shift-jis",   "big5",
                                                        "euc-jp", "latin-1", "windows-1252"};
bool isTextEncoding(std::string_view encoding) noexcept;

/// The elements of a scene (osg) that become surfaces.
enum class SceneSurfaces {
  drawables,
  primitiveSets,  ///< of each drawable
  smoothPatches,  ///< of each drawable, by `ImportSettings::segmentationAngle`
};
std::string_view name(SceneSurfaces surfaces) noexcept;
std::optional<SceneSurfaces> sceneSurfacesFromName(std::string_view name) noexcept;

/// Settings for the import of a file's geometry. Fields marked (cad), (mesh) and (osg) apply to those
/// families only (`FileFamily`).
struct ImportSettings {
  /// (cad) Largest chord error of the tessellation in mm. Smaller: finer meshes, slower queries.
  double linearDeflection = 0.1;
  /// (cad) Largest chord error as a share of the part's extent; the smaller limit applies, because a chord
  /// error that is fine for a frame is coarse for a bearing of 6 mm. 0: the same chord error for all parts.
  double relativeDeflection = 0.004;
  /// (cad) Angle between neighbouring facets in radians. Smaller: finer curves.
  double angularDeflection = 0.5;
  /// (cad) Makes one part of each product instead of one of each solid. Interference between the solids of a
  /// product is then not found.
  bool mergeSolids = false;
  /// (cad) Encoding of names that are neither ASCII nor encoded as in ISO 10303-21, one of `textEncodings`;
  /// empty: detected.
  std::string encoding;
  /// (mesh, osg) Unit of the numbers in files that do not state it: mm, cm, m, in or ft. (glTF is in metres
  /// by its specification.)
  std::string unit = "mm";
  /// The unit of each of several files, in order. An entry that is not empty replaces `unit`.
  std::vector<std::string> fileUnits;
  /// (mesh, osg) Axis that points up in files that do not state it (glTF is y up by its specification). For
  /// display only; coordinates stay as in the file.
  UpAxis upAxis = UpAxis::z;
  /// (mesh, osg) Largest angle between normals within a smooth patch, in degrees; unset: the file's groups,
  /// or one surface. Applies to scenes only with `SceneSurfaces::smoothPatches`.
  std::optional<double> segmentationAngle = 30.0;
  /// (osg) Source of the surfaces. CAD models inside a scene keep their faces.
  SceneSurfaces sceneSurfaces = SceneSurfaces::drawables;
  /// (mesh, osg) Recognises surfaces that are planes, cylinders, cones or spheres within this distance, in
  /// mm, and takes these for the exact shapes (`withRecognisedSurfaces`). Unset: the triangles are the shape.
  std::optional<double> recogniseWithin;
  friend bool operator==(const ImportSettings&, const ImportSettings&) = default;
};

/// Sets the segmentation into surfaces by one word: an angle in degrees (smooth patches of meshes, and of
/// drawables of scenes), "smooth" (the same at 30 degrees), "primitives" (primitive sets of scenes; default
/// for meshes) or "none" (neither). Throws InputError whose message begins with `option`.
void setSegmentation(ImportSettings& settings, std::string_view option, std::string_view word);

/// Options for reading a file.
struct ReadOptions : ImportSettings {
  /// Options for building hierarchies. The cache stores the surface R-tree and the wide tree; other kinds are
  /// built each time a file is read, and so is the wide tree if a model file lacks it.
  BuildOptions build;

  /// Folder in which all referenced files must be; unset: the folder of each file. References that lead
  /// elsewhere are not read, and cause a warning.
  std::optional<std::filesystem::path> root;

  /// Stores imported models in a folder of the user (`ModelCache`), and uses them for files of the same bytes
  /// and settings.
  bool useCache = false;
  /// Unset: `ModelCache::userFolder()`. An unusable folder has the same effect as no cache.
  std::optional<std::filesystem::path> cacheFolder;
  /// Trusts the hierarchies in model files without checking them against the triangles
  /// (`Trust::hierarchies`). Reads large files faster, but a forged file may hide interferences.
  bool trustModelFiles = false;
  /// Limit in bytes of the importer's address space; beyond it, the importer ends with a clear error.
  std::size_t importerMemoryLimit = std::size_t{16} << 30;
  /// Time without progress after which an importer is stopped.
  std::chrono::seconds noProgressLimit{60};
  /// Folder of the importer programs. Unset: the folder in the environment variable FITUP_IMPORTERS. If that
  /// is unset too, these are searched in order: the folder of the running program and, if that is called bin,
  /// ../libexec/fitup; if this code is in a shared library (for hosts that are installed elsewhere), bin and
  /// libexec/fitup beside the folder lib that contains it, at most two folders deep; the folders of PATH, and
  /// ../libexec/fitup of each; libexec/fitup of the prefix that the build was configured for
  /// (CMAKE_INSTALL_PREFIX). If none has the importer, the error says where it was searched.
  std::optional<std::filesystem::path> importerFolder;
};

/// Reads an assembly of any supported format and builds its collision models.
///
/// A model file (`.fitup`) is checked and read. All other files go through an importer in a child process, so
/// that a reader that crashes, hangs or runs out of memory ends in an ImportError that says so. The importer
/// is confined to the folder of the file and to copies of what it reads. The model is therefore that of the
/// bytes whose digest `source` holds, even if the file changes in the meantime. Throws FileError, InputError,
/// ImportError, CancelledError.
Model readAssembly(const std::filesystem::path& file, const ReadOptions& options = {},
                   const Progress& progress = {});

/// The path of the importer of a family of files. `folder` as `ReadOptions::importerFolder`. Throws
/// ImportError, which says where it was searched.
std::filesystem::path importerProgram(FileFamily family, const std::optional<std::filesystem::path>& folder);

/// Lines that say what restricts each importer to reading files, as reported by the importer, for users who
/// want to know what their system supports. Omits importers that are not installed.
std::vector<std::string> confinementOfImporters(const ReadOptions& options = {});

/// Reads several files into one assembly, with a root node for each in their order, named like the file
/// without folder and extension. The first file determines the up axis and the unit of the assembly; files in
/// other units are scaled. Warnings name elements below the node of their file. A single file is read as by
/// `readAssembly`, without such a node. There is a warning for files whose units come from the options and
/// whose boxes differ by the ratio of two units.
///
/// Throws as `readAssembly`, and InputError if there is no file.
Model readAssemblies(std::span<const std::filesystem::path> files, const ReadOptions& options = {},
                     const Progress& progress = {});
/// The names of files as one text, "a.stl, b.stl". Reports and `ModelSource::path` use it as the name of a
/// model that was read from several files.
std::string joinedNames(std::span<const std::filesystem::path> files);

}  // namespace fitup
