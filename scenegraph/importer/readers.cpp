#include "readers.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include <osg/Version>
#include <osgDB/Registry>

#include <fitup/base/error.h>

namespace fitup::importers {
namespace {

namespace fs = std::filesystem;

/// A plugin of osgDB that reads geometry and does not run, fetch or unpack anything.
struct Reader {
  std::string_view plugin;
  std::array<std::string_view, 4> extensions;
  bool refers = false;  ///< its files may refer, by osgDB, to those of all readers
  bool isSlow = false;  ///< loading it takes longer than loading all others together
};

constexpr std::array<Reader, 14> readers{{
    {"osg", {"osgb", "osgt", "osgx", "osg"}, true},
    {"ive", {"ive"}, true},
    {"openflight", {"flt"}, true},
    {"lws", {"lws"}, true},
    {"lwo", {"lwo"}},
    {"ac", {"ac"}},
    {"dxf", {"dxf"}},
    {"obj", {"obj"}},
    {"ply", {"ply"}},
    {"stl", {"stl"}},
    {"3ds", {"3ds"}},
    {"iv", {"iv", "wrl"}, false, true},
    {"dae", {"dae"}, false, true},
    {"fitup", {"fitup"}},
}};

/// Node kits whose classes the files of OSG's own formats may hold: serializers_NAME for .osgb, .osgt and
/// .osgx, deprecated_NAME for .osg. osgUI and osgViewer are excluded, because their objects act and open
/// windows.
constexpr std::array<std::string_view, 13> serializers{
    "osg",    "osganimation", "osgfx",   "osgga",   "osgmanipulator", "osgparticle", "osgshadow",
    "osgsim", "osgterrain",   "osgtext", "osgutil", "osgvolume",      "osgfitup"};
constexpr std::array<std::string_view, 9> deprecated{"osg",         "osganimation", "osgfx",
                                                     "osgparticle", "osgshadow",    "osgsim",
                                                     "osgterrain",  "osgtext",      "osgvolume"};

constexpr std::string_view fontPlugin = "freetype";
constexpr std::array<std::string_view, 4> fontExtensions{"ttf", "otf", "ttc", "pfb"};

constexpr std::string_view pluginPrefix = "osgdb_", serializerPrefix = "serializers_",
                           deprecatedPrefix = "deprecated_";

/// Returns a file name such as "osgdb_ive.so".
std::string pluginFile(const std::string& plugin) {
  const std::string name = osgDB::Registry::instance()->createLibraryNameForExtension(plugin);
  return fs::path(name).filename().string();
}

const std::vector<std::string>& listedFiles() {
  static const std::vector<std::string> files = [] {
    std::vector<std::string> result;
    for (const Reader& reader : readers) result.push_back(pluginFile(std::string(reader.plugin)));
    result.push_back(pluginFile(std::string(fontPlugin)));
    for (const auto kit : serializers)
      result.push_back(pluginFile(std::string(serializerPrefix).append(kit)));
    for (const auto kit : deprecated) result.push_back(pluginFile(std::string(deprecatedPrefix).append(kit)));
    return result;
  }();
  return files;
}

/// Returns the folder of this build (bin beside lib) or of this installation (libexec/fitup).
fs::path ownLibraryFolder() {
  std::error_code error;
  const auto here = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (error) return {};
  return here.filename() == "bin" ? here.parent_path() / "lib"
                                  : here.parent_path().parent_path() / FITUP_LIBRARY_FOLDER;
}

/// The folders of plugins: that of this project, the one beside osgDB itself, and the one that osgDB was
/// built with. The folders in OSG_LIBRARY_PATH and LD_LIBRARY_PATH, where osgDB would look first, are not
/// used.
const std::vector<fs::path>& pluginFolders() {
  static const std::vector<fs::path> folders = [] {
    const std::string name = "osgPlugins-" + std::string(osgGetVersion());
    std::vector<fs::path> result;
    const auto add = [&](const fs::path& folder) {
      std::error_code error;
      const fs::path path = fs::canonical(folder, error);
      if (!error && std::find(result.begin(), result.end(), path) == result.end()) result.push_back(path);
    };
    if (const fs::path own = ownLibraryFolder(); !own.empty()) add(own / name);
    Dl_info osgDb{};
    if (::dladdr(reinterpret_cast<const void*>(&osgDB::Registry::instance), &osgDb) != 0 &&
        osgDb.dli_fname != nullptr)
      add(fs::path(osgDb.dli_fname).parent_path() / name);
    for (const char* variable : {"OSG_LIBRARY_PATH", "OSG_LD_LIBRARY_PATH", "LD_LIBRARY_PATH"})
      ::unsetenv(variable);
    osgDB::Registry& registry = *osgDB::Registry::instance();
    registry.getLibraryFilePathList().clear();
    registry.initLibraryFilePathList();
    for (const std::string& folder : registry.getLibraryFilePathList()) {
      if (!fs::path(folder).is_absolute()) continue;
      add(fs::path(folder) / name);
      if (fs::path(folder).filename() == name) add(folder);
    }
    return result;
  }();
  return folders;
}

const Reader* readerOf(std::string_view extension) {
  if (extension.empty()) return nullptr;
  const auto found = std::find_if(readers.begin(), readers.end(), [&](const Reader& reader) {
    return std::find(reader.extensions.begin(), reader.extensions.end(), extension) !=
           reader.extensions.end();
  });
  return found == readers.end() ? nullptr : &*found;
}

/// Loads a plugin under the name that osgDB would use for it.
bool load(const std::string& plugin) {
  osgDB::Registry& registry = *osgDB::Registry::instance();
  return registry.loadLibrary(registry.createLibraryNameForExtension(plugin)) != osgDB::Registry::NOT_LOADED;
}

}  // namespace

bool isReadable(std::string_view extension) { return readerOf(extension) != nullptr; }

bool isFont(std::string_view extension) {
  return std::find(fontExtensions.begin(), fontExtensions.end(), extension) != fontExtensions.end();
}

osgDB::ReaderWriter* loadFontReader() {
  if (!load(std::string(fontPlugin))) return nullptr;
  return osgDB::Registry::instance()->getReaderWriterForExtension(std::string(fontExtensions.front()));
}

osgDB::ReaderWriter* loadReader(const std::string& extension) {
  const Reader* const wanted = readerOf(extension);
  if (wanted == nullptr || !load(std::string(wanted->plugin))) return nullptr;
  return osgDB::Registry::instance()->getReaderWriterForExtension(extension);
}

void loadReaders(const std::string& extension) {
  const Reader* const wanted = readerOf(extension);
  if (wanted == nullptr) throw InputError("extension '" + extension + "' is not a supported format");
  if (loadReader(extension) == nullptr)
    throw InputError("OpenSceneGraph's plugin " + pluginFile(std::string(wanted->plugin)) +
                     " is not installed");
  if (!wanted->refers) return;
  for (const Reader& reader : readers)
    if (!reader.isSlow) load(std::string(reader.plugin));
  for (const auto kit : serializers) load(std::string(serializerPrefix).append(kit));
  for (const auto kit : deprecated) load(std::string(deprecatedPrefix).append(kit));
}

std::optional<fs::path> allowedLibrary(std::string_view name) {
  const std::string file = fs::path(name).filename().string();
  const std::string asked = "osgPlugins-" + std::string(osgGetVersion()) + "/" + file;
  if (name != asked || std::find(listedFiles().begin(), listedFiles().end(), file) == listedFiles().end())
    return std::nullopt;
  for (const fs::path& folder : pluginFolders()) {
    std::error_code error;
    if (fs::path path = folder / file; fs::exists(path, error)) return path;
  }
  return std::nullopt;
}

bool isAllowedLibrary(const fs::path& path) {
  const auto& folders = pluginFolders();
  return std::find(folders.begin(), folders.end(), path.parent_path()) != folders.end() &&
         std::find(listedFiles().begin(), listedFiles().end(), path.filename().string()) !=
             listedFiles().end();
}

std::string classesOf(std::string_view library) {
  // The name of a class may contain any number of slashes.
  for (const std::string_view prefix : {serializerPrefix, deprecatedPrefix}) {
    const std::string start = std::string(pluginPrefix).append(prefix);
    const std::size_t at = library.find(start);
    if (at == std::string_view::npos) continue;
    library.remove_prefix(at + start.size());
    return std::string(library.substr(0, library.rfind('.')));
  }
  return {};
}

}  // namespace fitup::importers
