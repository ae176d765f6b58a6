#include <fitup/io/read_assembly.h>

#include <dlfcn.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include <fitup/base/bounded_text.h>
#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/base/text.h>
#include <fitup/base/version.h>
#include <fitup/io/file_bytes.h>
#include <fitup/io/file_digest.h>
#include <fitup/io/formats.h>
#include <fitup/io/import_folder.h>
#include <fitup/io/importer_process.h>
#include <fitup/io/model_cache.h>
#include <fitup/mesh/recognise.h>

namespace fitup {
namespace {

namespace fs = std::filesystem;

/// An importer program and its arguments except the files.
struct Import {
  std::string program;
  std::vector<std::string> arguments;
};

constexpr std::array<std::string_view, 3> sceneSurfacesNames{"drawables", "primitiveSets", "smoothPatches"};

template <std::size_t count>
bool contains(const std::array<std::string_view, count>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Import importFor(const fs::path& file, const ReadOptions& options) {
  const FileFamily family = fileFamilyOf(file).value_or(FileFamily::model);
  const std::string program(importerOf(family));
  switch (family) {
    case FileFamily::cad: {
      Import import{program,
                    {"--linear", numberText(options.linearDeflection), "--angular",
                     numberText(options.angularDeflection)}};
      if (options.relativeDeflection != ImportSettings{}.relativeDeflection)
        import.arguments.insert(import.arguments.end(),
                                {"--relative", numberText(options.relativeDeflection)});
      if (options.mergeSolids) import.arguments.insert(import.arguments.end(), {"--solids", "merge"});
      if (!options.encoding.empty())
        import.arguments.insert(import.arguments.end(), {"--encoding", options.encoding});
      return import;
    }
    case FileFamily::mesh:
      return {program,
              {"--unit", options.unit, "--up", std::string(name(options.upAxis)), "--segment",
               options.segmentationAngle ? numberText(*options.segmentationAngle) : "none"}};
    case FileFamily::osg: {
      Import import{program, {"--unit", options.unit, "--up", std::string(name(options.upAxis))}};
      if (options.sceneSurfaces == SceneSurfaces::primitiveSets)
        import.arguments.insert(import.arguments.end(), {"--segment", "primitives"});
      if (options.sceneSurfaces == SceneSurfaces::smoothPatches && options.segmentationAngle)
        import.arguments.insert(import.arguments.end(),
                                {"--segment", numberText(*options.segmentationAngle)});
      return import;
    }
    default:
      throw InputError(
          file.string(), "extension '" + lowerExtension(file) + "'",
          "is not supported; supported are " +
              extensionList([](const FileFormat& format) { return format.isModel(); }, " ", " and "));
  }
}

/// All settings that change the result, as one text.
std::string canonicalOptions(const Import& import, const ImportSettings& settings,
                             const BuildOptions& build) {
  std::string text = import.program + " " + std::string(version);
  if (settings.recogniseWithin) text += " recognised within " + numberText(*settings.recogniseWithin);
  for (const std::string& argument : import.arguments) text += " " + argument;
  text += std::string(" rtree ") + (build.rtree.build == RTreeBuild::packed ? "packed" : "guttman") + " " +
          std::to_string(build.rtree.fanOut);
  if (!build.wide) return text + " without wide";
  if (build.wide->layout == WideLayout::compact) text += " compact";
  return build.wide->orientNodes ? text : text + " along axes";
}

/// Folders of importers near the shared library that holds this code, if there is one: in the prefix that has
/// its folder `lib`. Other folders above it, or above a program, may belong to anybody, so programs there
/// must not be run.
std::vector<fs::path> foldersNearLibrary() {
  Dl_info here{}, program{};
  if (::dladdr(reinterpret_cast<const void*>(&foldersNearLibrary), &here) == 0 || here.dli_fname == nullptr)
    return {};
  if (::dladdr(reinterpret_cast<const void*>(::getauxval(AT_PHDR)), &program) == 0 ||
      here.dli_fbase == program.dli_fbase)
    return {};
  std::error_code error;
  fs::path folder = fs::canonical(here.dli_fname, error).parent_path();
  if (error) return {};
  // lib, lib/osgPlugins-3.6.5, lib/x86_64-linux-gnu/osgPlugins-3.6.5
  for (int level = 0; level < 3; ++level, folder = folder.parent_path())
    if (folder.filename() == "lib" || folder.filename() == "lib64" || folder.filename() == "lib32") {
      const fs::path prefix = folder.parent_path();
      return {prefix / "bin", prefix / "libexec" / "fitup"};
    }
  return {};
}

/// Folders beside the program and near the library, each once.
std::vector<fs::path> nearFolders() {
  std::vector<fs::path> folders;
  const auto add = [&](fs::path folder) {
    if (std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(std::move(folder));
  };
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (!error) {
    add(here);
    if (here.filename() == "bin") add(here.parent_path() / "libexec" / "fitup");
  }
  for (fs::path& folder : foldersNearLibrary()) add(std::move(folder));
  return folders;
}

/// The folders of PATH, and the folders for importers of installations that have their programs there.
std::vector<fs::path> foldersOfPath() {
  std::vector<fs::path> folders;
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) {
      const fs::path folder = rest.substr(0, end);
      folders.push_back(folder);
      folders.push_back(folder / ".." / "libexec" / "fitup");
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return folders;
}

/// The install folder of the build. With a static library, nothing else shows where it is installed.
std::vector<fs::path> installedFolders() {
#ifdef FITUP_INSTALLED_IMPORTERS
  return {FITUP_INSTALLED_IMPORTERS};
#else
  return {};
#endif
}

fs::path findImporter(const std::string& program, const std::optional<fs::path>& folder) {
  const auto findIn = [&](const std::vector<fs::path>& folders) {
    const auto found = std::find_if(folders.begin(), folders.end(), [&](const fs::path& candidate) {
      return ::access((candidate / program).c_str(), X_OK) == 0;
    });
    return found == folders.end() ? fs::path() : *found / program;
  };
  const char* variable = std::getenv("FITUP_IMPORTERS");
  if (folder || (variable != nullptr && *variable != '\0')) {
    const fs::path only = folder ? *folder : fs::path(variable);
    if (fs::path found = findIn({only}); !found.empty()) return found;
    throw ImportError(program + " is not installed in " + only.string());
  }
  const std::vector<fs::path> near = nearFolders(), installed = installedFolders();
  for (const auto& folders : {near, foldersOfPath(), installed})
    if (fs::path found = findIn(folders); !found.empty()) return found;
  std::string tried;
  for (const auto& folders : {near, installed})
    for (const fs::path& candidate : folders) tried += candidate.string() + ", ";
  throw ImportError(program + " is not installed: neither in " + tried +
                    "nor in the folders of PATH or libexec/fitup beside them; set the environment variable "
                    "FITUP_IMPORTERS to its folder");
}

/// Builds the trees that caches keep: the surface R-tree and the wide tree.
void buildModels(Model& model, const BuildOptions& options, const Progress& progress) {
  model.collisionModels = buildCollisionModels(model.assembly, {.rtree = options.rtree, .wide = options.wide},
                                               progress, allCores);
}

/// Describes surfaces of meshes that are not CAD shapes. `within` is in millimetres.
void recognise(Model& model, double within, const WorkMeter& meter) {
  Assembly& assembly = model.assembly;
  const double inUnit = within / millimetresPer(assembly.unit()).value_or(1);
  std::size_t recognised = 0, all = 0;
  for (std::uint32_t i = 0; i < assembly.partCount(); ++i) {
    meter.poll();
    const TriangleMesh& mesh = assembly.part(PartId(i));
    if (mesh.deflection()) continue;
    RecognisedMesh found = withRecognisedSurfaces(mesh, inUnit);
    recognised += found.recognised;
    all += mesh.surfaces().size();
    assembly.replacePart(PartId(i), std::move(found.mesh));
  }
  if (all > 0)
    model.warnings.push_back({"surfaces",
                              std::to_string(recognised) + " of " + std::to_string(all) +
                                  " are planes, cylinders, cones or spheres within " +
                                  boundedNumber(within, 0, 6) +
                                  " mm, which count as the exact shapes; the others count as their triangles",
                              false});
}

/// Older versions kept a cache beside the source. Anybody may have written a file there.
void warnOfOldCache(const fs::path& file, std::vector<ImportWarning>& warnings) {
  const fs::path old = file.string() + ".fitup";
  std::error_code ignored;
  if (fs::exists(old, ignored))
    warnings.push_back({"file",
                        "what lies beside it as " + old.filename().string() +
                            " is not used (caches are kept in the user's cache folder)",
                        false});
}

/// Files that an importer reports as read are searched again later, so they must be ones that it may read.
void requireBelow(const fs::path& root, const fs::path& file,
                  const std::vector<CompanionFile>& referencedFiles) {
  const fs::path folder = canonicalFolder(file.parent_path());
  for (const CompanionFile& companion : referencedFiles)
    if (fs::path(companion.path).is_absolute() ||
        !isBelow(root, (folder / companion.path).lexically_normal()))
      throw InputError("external file " + companion.path, "", "does not lie below the root folder");
}

/// Imports a file. The result has no trees, whatever the importer wrote: they are built here.
Model importFile(const fs::path& file, const Import& import, const fs::path& program,
                 const ReadOptions& options, const Progress& progress) {
  const ImportFolder folder;
  const ImportFolder::Copy copy = folder.copy(file, options.root, WorkMeter(progress));
  ImporterCommand command;
  command.program = program;
  command.arguments = {copy.file.string(), folder.model().string(), "--root", copy.root.string(),
                       "--copies",         folder.copies().string()};
  command.arguments.insert(command.arguments.end(), import.arguments.begin(), import.arguments.end());
  command.memoryLimit = options.importerMemoryLimit;
  command.noProgressLimit = options.noProgressLimit;
  // The result may have as many bytes as the importer has memory, and copies of referenced files as many
  // again. The system limits each single file.
  const auto bytes = [&] {
    const std::optional<std::uintmax_t> counted = folder.bytes();
    if (!counted)
      throw ImportError("folders of the import are nested more than " +
                        std::to_string(ImportFolder::deepest) + " deep");
    return *counted;
  };
  try {
    if (options.importerMemoryLimit != 0)
      command.watch = [&, most = bytes() + 2 * std::uintmax_t{options.importerMemoryLimit}] {
        if (bytes() > most)
          throw ImportError("importer wrote more than " + std::to_string(most >> 20) + " MiB of files");
      };
    runImporter(command, progress);
    Model model = readModelFile(folder.openModel(), progress);
    requireBelow(copy.root, file, model.source.referencedFiles);
    model.source.path = file.string();
    model.source.digest = copy.digest;
    if (options.recogniseWithin) recognise(model, *options.recogniseWithin, WorkMeter(progress));
    buildModels(model, options.build, progress);
    return model;
  } catch (const CancelledError&) {
    throw;
  } catch (const ImportError& error) {
    throw ImportError(file.string() + ": " + error.what());
  } catch (const Error& error) {
    throw ImportError(file.string() + ": the importer's result is unusable: " + error.what());
  }
}

/// The cache that the options request, if it is usable.
std::optional<ModelCache> cacheFor(const ReadOptions& options, const Progress& progress) {
  if (!options.useCache) return std::nullopt;
  try {
    return options.cacheFolder ? ModelCache(*options.cacheFolder) : ModelCache();
  } catch (const FileError& error) {
    progress.report(std::string("no cache: ") + error.what(), -1);
    return std::nullopt;
  }
}

/// Key over everything on which a model depends: the bytes, the settings, the program, and the folder of the
/// file, to which its references are relative.
Digest keyOf(const Digest& source, const fs::path& file, const fs::path& program, const std::string& options,
             const std::optional<fs::path>& root) {
  Digester key;
  const auto add = [&](const std::string& text) { key.add(std::to_string(text.size()) + ":" + text); };
  add(digestText(source));
  add((canonicalFolder(file.parent_path()) / file.filename()).string());
  add(root ? canonicalFolder(*root).string() : "");
  add(options);
  // Another build of the importer may give another result.
  std::error_code ignored;
  add(fs::canonical(program, ignored).string());
  add(std::to_string(fs::file_size(program, ignored)));
  add(std::to_string(fs::last_write_time(program, ignored).time_since_epoch().count()));
  return key.finish();
}

Model readOrImport(const fs::path& file, const ReadOptions& options, const Progress& progress) {
  if (fileFamilyOf(file) == FileFamily::model) {
    std::error_code error;
    if (options.root && !isBelow(canonicalFolder(*options.root), fs::weakly_canonical(file, error)))
      throw InputError(file.string(), "", "is outside the root folder " + options.root->string());
    Model model = readModelFile(file, progress, options.trustModelFiles ? Trust::hierarchies : Trust::none);
    if (model.collisionModels.empty()) buildModels(model, options.build, progress);
    return model;
  }
  const Import import = importFor(file, options);
  // Tested before anything reads the file: a sparse file of any size costs nothing to make.
  std::error_code error;
  if (const std::uintmax_t size = fs::file_size(file, error);
      !error && options.importerMemoryLimit != 0 && size > options.importerMemoryLimit)
    throw InputError(file.string(), "", "is larger than the memory that its importer may use");
  const std::optional<ModelCache> cache = cacheFor(options, progress);
  const std::string canonical = canonicalOptions(import, options, options.build);
  const Digest before = cache ? digestOfFile(file, WorkMeter(progress)) : Digest{};
  const fs::path program = findImporter(import.program, options.importerFolder);
  const auto key = [&](const Digest& source) {
    return keyOf(source, file, program, canonical, options.root);
  };
  if (cache)
    if (auto cached = cache->find(key(before), file.parent_path(), options.root, progress)) {
      cached->source.path = file.string();
      cached->fromCache = {file.string()};
      return std::move(*cached);
    }

  Model model = importFile(file, import, program, options, progress);
  model.source.importOptions = canonical;
  if (cache) {
    model.source.path = fs::absolute(file).string();  // for users who inspect the cache
    try {
      // The key is of the bytes that were imported, which may differ from those seen before.
      cache->keep(key(model.source.digest), model, progress);
    } catch (const FileError& error) {
      progress.report(std::string("not kept in the cache: ") + error.what(), -1);
    }
  }
  model.source.path = file.string();
  warnOfOldCache(file, model.warnings);
  return model;
}

/// Other trees are built after each reading.
void addTrees(Model& model, BuildOptions options, const Progress& progress) {
  std::map<const CollisionModel*, std::shared_ptr<const CollisionModel>> done;
  for (const auto& collisionModel : model.collisionModels) done.emplace(collisionModel.get(), collisionModel);
  std::vector<std::shared_ptr<const CollisionModel>*> distinct;
  std::uint64_t units = 0;
  for (auto& [before, complete] : done) {
    distinct.push_back(&complete);
    units += CollisionModel::units(before->mesh(), options);
  }
  const WorkMeter meter(progress, "building hierarchies that model files do not store", units);
  parallelFor(distinct.size(), 0, [&](std::size_t i, unsigned) {
    meter.poll();
    *distinct[i] = CollisionModel::with(*distinct[i], options, meter);
  });
  for (auto& collisionModel : model.collisionModels) collisionModel = done.at(collisionModel.get());
}

}  // namespace

bool isLengthUnit(std::string_view unit) noexcept { return contains(lengthUnits, unit); }

std::optional<double> millimetresPer(std::string_view unit) noexcept {
  constexpr std::array<double, lengthUnits.size()> factors{1, 10, 1000, 25.4, 304.8};
  for (std::size_t i = 0; i < lengthUnits.size(); ++i)
    if (lengthUnits[i] == unit) return factors[i];
  return std::nullopt;
}

std::string_view name(SceneSurfaces surfaces) noexcept {
  return sceneSurfacesNames[static_cast<std::size_t>(surfaces)];
}

std::optional<SceneSurfaces> sceneSurfacesFromName(std::string_view text) noexcept {
  const auto found = std::find(sceneSurfacesNames.begin(), sceneSurfacesNames.end(), text);
  if (found == sceneSurfacesNames.end()) return std::nullopt;
  return static_cast<SceneSurfaces>(found - sceneSurfacesNames.begin());
}

void setSegmentation(ImportSettings& settings, std::string_view option, std::string_view word) {
  settings.sceneSurfaces = SceneSurfaces::drawables;
  settings.segmentationAngle = ImportSettings{}.segmentationAngle;
  if (word == "none") {
    settings.segmentationAngle.reset();
    return;
  }
  if (word == "primitives") {
    settings.sceneSurfaces = SceneSurfaces::primitiveSets;
    return;
  }
  settings.sceneSurfaces = SceneSurfaces::smoothPatches;
  if (word == "smooth") return;
  double angle = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, angle);
  if (error != std::errc{} || stop != end || !std::isfinite(angle))
    throw InputError(std::string(option), std::string(word),
                     "is not a number and not one of smooth, primitives, none");
  if (!(angle >= 0 && angle <= 180))
    throw InputError(std::string(option), std::string(word), "does not lie between 0 and 180 degrees");
  settings.segmentationAngle = angle;
}

bool isTextEncoding(std::string_view encoding) noexcept { return contains(textEncodings, encoding); }

Model readAssembly(const fs::path& file, const ReadOptions& options, const Progress& progress) {
  Model model = readOrImport(file, options, progress);
  BuildOptions lacking = options.build;
  // Model files usually have it. One that does not is as good as any other.
  if (std::ranges::all_of(model.collisionModels, [](const auto& each) { return each->hasWide(); }))
    lacking.wide.reset();
  if (lacking.wide || lacking.triangleTrees || !lacking.more.empty()) addTrees(model, lacking, progress);
  return model;
}

fs::path importerProgram(FileFamily family, const std::optional<fs::path>& folder) {
  return findImporter(std::string(importerOf(family)), folder);
}

std::vector<std::string> confinementOfImporters(const ReadOptions& options) {
  std::vector<std::string> lines;
  for (const FileFamily family : {FileFamily::cad, FileFamily::mesh, FileFamily::osg}) {
    const std::string name(importerOf(family));
    fs::path program;
    try {
      program = importerProgram(family, options.importerFolder);
    } catch (const ImportError&) {
      continue;
    }
    lines.push_back(name + ":");
    try {
      runImporter({program, {"--confinement"}}, Progress({}, [&](std::string_view line, double) {
                    lines.push_back("  " + std::string(line));
                  }));
    } catch (const ImportError& error) {
      lines.push_back(std::string("  ") + error.what());
    }
  }
  return lines;
}

namespace {

/// The options with the unit of this one of several files.
ReadOptions optionsFor(const ReadOptions& options, std::size_t file) {
  ReadOptions own = options;
  if (file < options.fileUnits.size() && !options.fileUnits[file].empty()) own.unit = options.fileUnits[file];
  return own;
}

/// Appends an assembly, scaled if its unit differs.
NodeId appendInUnit(const fs::path& file, Assembly assembly, const std::string& name, Assembly& all) {
  if (assembly.unit() == all.unit()) return all.append(assembly, name);
  const auto from = millimetresPer(assembly.unit()), to = millimetresPer(all.unit());
  if (!from || !to)
    throw InputError(file.string(), "unit",
                     "'" + assembly.unit() + "', that of the others is '" + all.unit() + "'");
  assembly.setUnit(all.unit());
  const NodeId root = all.append(assembly, name);
  const double factor = *from / *to;
  all.setPlacement(root, Transform::scaling(factor, factor, factor));
  return root;
}

Vec3 extentBelow(const Assembly& assembly, NodeId root) {
  Box box;
  for (const NodeId instance : assembly.instancesBelow(root)) box.extend(assembly.worldBounds(instance));
  return box.empty() ? Vec3{} : box.max - box.min;
}

/// True if `ImportSettings::unit` applies to the file, unless the file states its unit.
bool takesUnit(const fs::path& file) {
  const std::optional<FileFamily> family = fileFamilyOf(file);
  return family == FileFamily::mesh || family == FileFamily::osg;
}

/// Warns of files that do not state their unit, if one of them seems to have another unit than assumed.
void warnOfUnits(std::span<const fs::path> files, const ReadOptions& options, Model& all,
                 const std::function<NodeId(std::size_t)>& rootOf) {
  constexpr double exact = 0.005;
  std::vector<std::pair<std::size_t, Vec3>> extents;
  for (std::size_t i = 0; i < files.size(); ++i)
    if (takesUnit(files[i]) && optionsFor(options, i).unit == options.unit)
      extents.emplace_back(i, extentBelow(all.assembly, rootOf(i)));
  const auto warn = [&](std::size_t first, std::size_t other, double ratio) {
    all.warnings.push_back({all.assembly.path(rootOf(other)),
                            "its box and that of " + files[first].string() + " differ by " +
                                numberText(ratio) +
                                ", as if they were in different units; FILE:UNIT gives that of one",
                            false});
  };
  for (std::size_t k = 1; k < extents.size(); ++k) {
    const auto& [other, b] = extents[k];
    const auto differs = [&, &b = b](const std::pair<std::size_t, Vec3>& earlier, double ratio) {
      const Vec3& a = earlier.second;
      const auto isRatio = [&](const Vec3& large, const Vec3& small) {
        for (int axis = 0; axis < 3; ++axis)
          if (!(std::abs(large[axis] - ratio * small[axis]) <= exact * large[axis])) return false;
        return norm(small) > 0;
      };
      return isRatio(a, b) || isRatio(b, a);
    };
    for (const double ratio : {25.4, 1000.0}) {
      const auto found = std::find_if(extents.begin(), extents.begin() + static_cast<std::ptrdiff_t>(k),
                                      [&](const auto& earlier) { return differs(earlier, ratio); });
      if (found != extents.begin() + static_cast<std::ptrdiff_t>(k)) warn(found->first, other, ratio);
    }
  }
}

}  // namespace

Model readAssemblies(std::span<const fs::path> files, const ReadOptions& options, const Progress& progress) {
  if (files.empty()) throw InputError("there is no file to read");
  Model model = readAssembly(files.front(), optionsFor(options, 0), progress);
  if (files.size() == 1) return model;

  Model all;
  struct FromFile {
    NodeId root;
    std::size_t firstWarning;
  };
  std::vector<FromFile> fromFiles;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i > 0) model = readAssembly(files[i], optionsFor(options, i), progress);
    const std::string name = files[i].stem().string();
    if (i == 0) {
      all.assembly = Assembly(name + " and " + std::to_string(files.size() - 1) + " more");
      all.assembly.setUnit(model.assembly.unit());
      all.assembly.setUpAxis(model.assembly.upAxis());
    }
    const std::size_t partsBefore = all.assembly.partCount();
    fromFiles.push_back(
        {appendInUnit(files[i], std::move(model.assembly), name, all.assembly), all.warnings.size()});
    all.collisionModels.insert(all.collisionModels.end(), model.collisionModels.begin(),
                               model.collisionModels.end());
    if (!model.exactShapes.empty()) {
      all.exactShapes.resize(partsBefore);
      all.exactShapes.insert(all.exactShapes.end(), model.exactShapes.begin(), model.exactShapes.end());
    }
    all.warnings.insert(all.warnings.end(), model.warnings.begin(), model.warnings.end());
    all.fromCache.insert(all.fromCache.end(), model.fromCache.begin(), model.fromCache.end());
  }
  if (!all.exactShapes.empty()) all.exactShapes.resize(all.assembly.partCount());
  all.source.path = joinedNames(files);
  warnOfUnits(files, options, all, [&](std::size_t i) { return fromFiles[i].root; });
  // Only here is it known which files share a name, and their numbers.
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::size_t end = i + 1 < files.size() ? fromFiles[i + 1].firstWarning : all.warnings.size();
    for (std::size_t w = fromFiles[i].firstWarning; w < end; ++w) {
      std::string& element = all.warnings[w].element;
      element = all.assembly.path(fromFiles[i].root) + (element.empty() ? "" : "/" + element);
    }
  }
  return all;
}

std::string joinedNames(std::span<const fs::path> files) {
  std::string names;
  for (const fs::path& file : files) names += (names.empty() ? "" : ", ") + file.string();
  return names;
}

}  // namespace fitup
