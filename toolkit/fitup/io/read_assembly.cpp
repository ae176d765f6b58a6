#include <fitup/io/read_assembly.h>

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <memory>
#include <system_error>

#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/base/version.h>
#include <fitup/io/detail/number_text.h>
#include <fitup/io/importer_process.h>
#include <fitup/io/mapped_file.h>

namespace fitup {
namespace {

namespace fs = std::filesystem;

/// An importer program and what it is told besides the files.
struct Import {
  std::string program;
  std::vector<std::string> arguments;
};

std::string lowerExtension(const fs::path& file) {
  std::string text = file.extension().string();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return text;
}

Import importFor(const fs::path& file, const ReadOptions& options) {
  const std::string extension = lowerExtension(file);
  if (extension == ".step" || extension == ".stp")
    return {"fitup-import-cad",
            {"--linear", detail::numberText(options.linearDeflection), "--angular",
             detail::numberText(options.angularDeflection)}};
  if (extension == ".obj" || extension == ".stl")
    return {"fitup-import-mesh",
            {"--unit", options.unit, "--segment",
             options.segmentationAngle ? detail::numberText(*options.segmentationAngle) : "none"}};
  throw InputError(file.string(), "extension '" + extension + "'",
                   "no importer for it; known are .step .stp .obj .stl and .fitup");
}

/// All that changes the result, as one text.
std::string canonicalOptions(const Import& import, const BuildOptions& build) {
  std::string text = import.program + " " + std::string(version);
  for (const std::string& argument : import.arguments) text += " " + argument;
  return text + " rtree " + (build.rtree.build == RTreeBuild::packed ? "packed" : "guttman") + " " +
         std::to_string(build.rtree.fanOut);
}

fs::path findImporter(const std::string& program, const std::optional<fs::path>& folder) {
  std::vector<fs::path> folders;
  if (folder) {
    folders.push_back(*folder);
  } else {
    std::error_code error;
    const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
    if (!error) folders = {here, here.parent_path() / "libexec" / "fitup"};
    if (const char* path = std::getenv("PATH")) {
      std::string_view rest = path;
      while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        if (end > 0) folders.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
  }
  for (const fs::path& candidate : folders)
    if (::access((candidate / program).c_str(), X_OK) == 0) return candidate / program;
  throw ImportError(program + " is not installed" + (folder ? " in " + folder->string() : std::string()));
}

/// A folder of its own for the importer's output, removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "fitup-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
      throw FileError(pattern + ": cannot create: " + std::generic_category().message(errno));
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const fs::path& path() const noexcept { return path_; }

 private:
  fs::path path_;
};

void buildModels(Model& model, const BuildOptions& options, const Progress& progress) {
  model.collisionModels = buildCollisionModels(model.assembly, options, progress);
  if (model.collisionModels.size() != model.assembly.partCount()) throw ImportError("cancelled");
}

/// True if the files that the source refers to are as they were.
bool companionsAgree(const fs::path& file, const ModelSource& source) {
  return std::all_of(source.companions.begin(), source.companions.end(), [&](const CompanionFile& companion) {
    try {
      return blockChecksum(MappedFile::open(file.parent_path() / companion.path)->bytes()) == companion.hash;
    } catch (const FileError&) {
      return false;
    }
  });
}

/// The model file beside the source, if it is whole and of this source and these options.
std::optional<Model> readCache(const fs::path& file, const fs::path& cache, const ModelSource& wanted,
                               const Progress& progress) {
  std::error_code ignored;
  if (!fs::exists(cache, ignored)) return std::nullopt;
  const std::optional<ModelSource> found = readModelFileSource(cache);
  if (!found || found->hash != wanted.hash || found->importOptions != wanted.importOptions ||
      !companionsAgree(file, *found)) {
    progress.report(
        found ? "model file is out of date, importing again" : "model file is damaged, importing again", -1);
    return std::nullopt;
  }
  try {
    progress.report("opening model file", -1);
    Model model = readModelFile(cache);
    if (model.collisionModels.size() != model.assembly.partCount()) return std::nullopt;
    model.source.path = wanted.path;
    return model;
  } catch (const Error&) {
    progress.report("model file is damaged, importing again", -1);
    return std::nullopt;
  }
}

Model importFile(const fs::path& file, const Import& import, const ReadOptions& options,
                 const Progress& progress) {
  const TemporaryFolder folder;
  const fs::path output = folder.path() / "import.fitup";
  ImporterCommand command;
  command.program = findImporter(import.program, options.importerFolder);
  command.arguments = {fs::absolute(file).string(), output.string()};
  command.arguments.insert(command.arguments.end(), import.arguments.begin(), import.arguments.end());
  command.memoryLimit = options.importerMemoryLimit;
  command.noProgressLimit = options.noProgressLimit;
  try {
    runImporter(command, progress);
    return readModelFile(output);  // the mapping outlives the removed file
  } catch (const ImportError& error) {
    throw ImportError(std::string(error.what()) == "cancelled" ? "cancelled"
                                                               : file.string() + ": " + error.what());
  } catch (const Error& error) {
    throw ImportError(file.string() + ": the importer's result is unusable: " + error.what());
  }
}

Model readOrImport(const fs::path& file, const ReadOptions& options, const Progress& progress) {
  if (lowerExtension(file) == ".fitup") {
    Model model = readModelFile(file);
    if (model.collisionModels.empty()) buildModels(model, options.build, progress);
    return model;
  }
  const Import import = importFor(file, options);
  ModelSource source;
  source.path = file.string();
  source.hash = blockChecksum(MappedFile::open(file)->bytes());
  source.importOptions = canonicalOptions(import, options.build);

  const fs::path cache = file.string() + ".fitup";
  if (options.useCache)
    if (auto cached = readCache(file, cache, source, progress)) return std::move(*cached);

  Model model = importFile(file, import, options, progress);
  source.companions = model.source.companions;
  model.source = source;
  buildModels(model, options.build, progress);
  if (options.useCache) {
    try {
      progress.report("writing model file", -1);
      writeModelFile(cache, model);
    } catch (const FileError&) {
      // The folder is read-only or full: the model is as good without a cache.
    }
  }
  return model;
}

/// Model files keep S-CD's trees and the wide one; the field's systems are built whenever they are asked for.
void addFieldTrees(Model& model, BuildOptions options, const Progress& progress) {
  options.triangleTrees = false;
  options.wide.reset();
  std::map<const CollisionModel*, std::shared_ptr<const CollisionModel>> done;
  for (auto& collisionModel : model.collisionModels) {
    if (progress.cancelled()) throw ImportError("cancelled");
    auto& complete = done[collisionModel.get()];
    if (!complete) {
      progress.report("building hierarchies that model files do not keep", -1);
      complete = CollisionModel::with(collisionModel, options);
    }
    collisionModel = complete;
  }
}

bool asksForFieldTrees(const BuildOptions& options) {
  BuildOptions without;
  without.rtree = options.rtree;
  without.triangleTrees = options.triangleTrees;
  without.wide = options.wide;
  return !(options == without);
}

}  // namespace

Model readAssembly(const fs::path& file, const ReadOptions& options, const Progress& progress) {
  Model model = readOrImport(file, options, progress);
  if (asksForFieldTrees(options.build)) addFieldTrees(model, options.build, progress);
  return model;
}

}  // namespace fitup
