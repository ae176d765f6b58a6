#include "external_files.h"

#include <algorithm>
#include <array>

#include <osg/Group>
#include <osg/Image>
#include <osg/NodeVisitor>
#include <osg/PagedLOD>
#include <osg/ProxyNode>
#include <osgDB/FileNameUtils>

#include <fitup/base/error.h>
#include <fitup/io/file_bytes.h>
#include <osgFitup/detail/drawable_triangles.h>
#include <osgFitup/detail/levels_of_detail.h>

#include "completeness/unread.h"
#include "importer_main.h"
#include "mesh_model.h"
#include "native/native_scene.h"
#include "readers.h"

namespace fitup::importers {
namespace {

namespace fs = std::filesystem;
using ReadResult = ExternalFiles::ReadResult;

/// A few bytes can name very many files, each of which can name as many. Warnings are limited because people
/// read them.
constexpr std::size_t mostReferences = 100'000, mostWarnings = 10'000;

/// A path that cannot exist.
constexpr const char* nowhere = "/dev/null/refused";

constexpr const char *address = "not read: it is a network address",
                     *outside = "not read: it is outside the source's folder";

bool isAddress(const std::string& name) { return name.find("://") != std::string::npos; }

std::string extensionOf(const std::string& name) { return osgDB::getLowerCaseFileExtension(name); }

bool isReadByCoin(const fs::path& file) {
  const std::string extension = extensionOf(file.string());
  return extension == "iv" || extension == "wrl";
}

/// Whether the library that reads the file opens referenced files without osgDB.
bool readsByItself(const fs::path& file) { return isReadByCoin(file) || extensionOf(file.string()) == "dae"; }

/// Whether Coin may read the file as a texture; textures often lie beside the models' folder.
bool isImage(const std::string& extension) {
  constexpr std::array<std::string_view, 16> images{"png", "jpg",  "jpeg", "gif", "bmp", "tga", "tif", "tiff",
                                                    "rgb", "rgba", "sgi",  "bw",  "pic", "dds", "xwd", "eps"};
  return std::find(images.begin(), images.end(), extension) != images.end();
}

/// Whether the importer of meshes reads the file too.
bool isMeshFile(const std::string& extension) {
  return extension == "obj" || extension == "stl" || extension == "ply" || extension == "3ds";
}

/// Readers that make strips drop triangles with two equal corners.
bool hasThreeCorners(const Vec3& a, const Vec3& b, const Vec3& c) { return !(a == b || b == c || c == a); }

/// Counts triangles at all places of the drawables.
class TriangleCount : public osg::NodeVisitor {
 public:
  TriangleCount() : osg::NodeVisitor(TRAVERSE_ALL_CHILDREN) {}
  std::size_t triangles = 0;

  using osg::NodeVisitor::apply;
  void apply(osg::Drawable& drawable) override {
    const auto drawn = osgFitup::detail::trianglesOf(drawable);
    triangles += static_cast<std::size_t>(
        std::count_if(drawn.triangles.begin(), drawn.triangles.end(), [&](const TriangleIndices& t) {
          return hasThreeCorners(drawn.points[t[0]], drawn.points[t[1]], drawn.points[t[2]]);
        }));
  }
};

std::size_t trianglesOf(const Model& model) {
  std::size_t triangles = 0;
  for (const NodeId instance : model.assembly.instances()) {
    const TriangleMesh& mesh = model.assembly.meshOf(instance);
    for (const TriangleIndices& t : mesh.triangles())
      if (hasThreeCorners(mesh.pointInPart(t[0]), mesh.pointInPart(t[1]), mesh.pointInPart(t[2])))
        ++triangles;
  }
  return triangles;
}

ImportWarning missing(const std::string& file, const std::string& problem) {
  return {"external file " + validUtf8(file), problem + "; its parts are missing", true};
}

}  // namespace

/// Reads the files that a file just read refers to and that osgDB left for later.
class ExternalFiles::DeferredReads : public osg::NodeVisitor {
 public:
  /// `file`: the one that was read.
  DeferredReads(ExternalFiles& files, const fs::path& file, const osgDB::Options* options)
      : osg::NodeVisitor(TRAVERSE_ACTIVE_CHILDREN),
        files_(files),
        folder_(file.parent_path()),
        options_(options) {}

  using osg::NodeVisitor::apply;

  /// Visits each node once, because a graph of few nodes may have very many paths.
  void apply(osg::Node& node) override {
    if (files_.walked_.insert(&node).second) traverse(node);
  }

  void apply(osg::PagedLOD& node) override {
    if (files_.completed_.insert(&node).second) complete(node);
    apply(static_cast<osg::Node&>(node));
  }

  void apply(osg::ProxyNode& node) override {
    if (files_.completed_.insert(&node).second) complete(node);
    apply(static_cast<osg::Node&>(node));
  }

 private:
  /// The index of a level identifies it, so empty groups stand for levels that are not needed.
  void complete(osg::PagedLOD& node) {
    const unsigned int held = node.getNumChildren();
    for (unsigned int i = 0; i < node.getNumFileNames(); ++i) {
      if (node.getFileName(i).empty() || !osgFitup::detail::isFinestLevel(node, i)) continue;
      if (i < held) {
        if (held < node.getNumFileNames())
          files_.warn(missing(node.getFileName(i), "not read: another level takes its place"));
        continue;
      }
      const osg::ref_ptr<osg::Node> level = read(node.getDatabasePath(), node.getFileName(i));
      if (!level) {
        node.setFileName(i, {});  // already reported
        continue;
      }
      while (node.getNumChildren() < i) node.addChild(new osg::Group);
      node.addChild(level);
    }
  }

  /// Readers of some formats have already read everything, in any mode; a file must not appear twice.
  void complete(osg::ProxyNode& node) {
    std::multiset<std::string> known;  // the files that the children were read from
    unsigned int own = 0, unnamed = 0;
    for (unsigned int i = 0; i < node.getNumChildren(); ++i) {
      const auto found = files_.nameOfRead_.find(node.getChild(i));
      if (found == files_.nameOfRead_.end())
        ++own;
      else
        known.insert(found->second);
    }
    const unsigned int names = node.getNumFileNames();
    for (unsigned int i = 0; i < names; ++i) unnamed += node.getFileName(i).empty() ? 1 : 0;
    // If there are more own children than places for them, the file holds copies of what its first names
    // stand for.
    for (unsigned int i = own > unnamed ? node.getNumChildren() : 0; i < names; ++i) {
      const std::string file = node.getFileName(i);
      if (file.empty()) continue;
      if (const auto found = known.find(file); found != known.end())
        known.erase(found);
      else if (const osg::ref_ptr<osg::Node> child = read(node.getDatabasePath(), file))
        node.addChild(child);
    }
    // Missing files have been reported.
    for (unsigned int i = 0; i < names; ++i) node.setFileName(i, {});
  }

  /// Reads by way of the callback, which continues with what the file refers to. Returns null if it cannot be
  /// read.
  osg::ref_ptr<osg::Node> read(const std::string& databasePath, const std::string& file) {
    const osg::ref_ptr<osgDB::Options> with =
        options_ != nullptr ? options_->cloneOptions() : new osgDB::Options;
    with->getDatabasePathList().push_front(folder_.string());
    if (!databasePath.empty()) with->getDatabasePathList().push_front((folder_ / databasePath).string());
    ReadResult result = files_.readNode(file, with);
    return result.getNode();
  }

  ExternalFiles& files_;
  fs::path folder_;
  const osgDB::Options* options_;
};

ReadResult ExternalFiles::readSource(const Options* options) {
  ReadResult result = read(source_.bytes(), {}, options);
  noteUnreadInlines();
  // Nodes must not outlive the plugins that made them, as callbacks of osgDB do.
  nameOfRead_.clear();
  completed_.clear();
  walked_.clear();
  return result;
}

std::optional<fs::path> ExternalFiles::locate(const std::string& name, const Options* options) {
  if (isAddress(name)) return std::nullopt;
  const Gate::Leave copying;
  std::vector<fs::path> folders;
  if (options != nullptr)
    folders.assign(options->getDatabasePathList().begin(), options->getDatabasePathList().end());
  folders.push_back(open_.empty() ? source_.bytes().parent_path() : open_.back().parent_path());
  std::optional<fs::path> expected;
  for (const fs::path& folder : folders) {
    if (!folder.is_absolute()) continue;  // ignore paths relative to the working folder
    SourceFile::Reference reference = source_.find(folder / "any", name);
    if (reference.isFound()) return std::move(reference.bytes);
    if (!expected && reference.result != SourceFile::Reference::Result::outside)
      expected = std::move(reference.bytes);
  }
  return expected;
}

const char* ExternalFiles::refusalOf(const std::string& name, const std::optional<fs::path>& place) const {
  if (isAddress(name)) return address;
  if (!isReadable(extensionOf(name))) return "not read: scenes may not refer to files of this format";
  if (!place) return outside;
  if (std::find(open_.begin(), open_.end(), *place) != open_.end())
    return "refers to itself, directly or through other files, and is not read again";
  if (open_.size() > deepestTree) return "not read: references are nested too deeply";
  if (references_ > mostReferences) return "not read: too many files are referred to";
  return nullptr;
}

/// Uses only the reader of the extension. What else osgDB tries for a name (other plugins, archives within
/// paths, addresses) is skipped.
ReadResult ExternalFiles::read(const fs::path& place, const std::string& name, const Options* options) {
  osgDB::ReaderWriter* const reader = loadReader(extensionOf(place.string()));
  if (reader == nullptr) return ReadResult::FILE_NOT_HANDLED;
  if (readsByItself(place)) {
    const Gate::Leave copying;
    source_.findQuoted(place, "\"'", [](std::string_view ending) {
      const std::string extension(ending.substr(std::min<std::size_t>(1, ending.size())));
      return isReadable(extension) || isImage(extension);
    });
  }
  open_.push_back(place);
  ReadResult result;
  try {
    if (isNativeScene(extensionOf(place.string()))) {
      NativeScene scene = readNativeScene(place, options);
      noteUnread(std::move(scene.warnings), name);
      if (scene.node.valid()) result = ReadResult(scene.node.get());
    } else {
      noteUnread(unreadOf(place), name);
      result = reader->readNode(place.string(), options);
    }
  } catch (const Error& error) {
    result = ReadResult(std::string(error.what()));
  }
  if (result.validNode()) {
    DeferredReads deferred(*this, place, options);
    result.getNode()->accept(deferred);
  }
  open_.pop_back();
  return result;
}

/// `name`: of the external file; empty for the source itself.
void ExternalFiles::noteUnread(std::vector<ImportWarning> unread, const std::string& name) {
  for (ImportWarning& warning : unread) {
    if (!name.empty()) warning.element = "external file " + validUtf8(name) + ": " + warning.element;
    warn(std::move(warning));
  }
}

ReadResult ExternalFiles::readNode(const std::string& file, const Options* options) {
  ++references_;
  const bool isOfFormat = isReadable(extensionOf(file));
  const std::optional<fs::path> place = isOfFormat ? locate(file, options) : std::nullopt;
  if (const char* const refusal = refusalOf(file, place)) {
    warn(missing(file, refusal));
    return ReadResult::FILE_NOT_FOUND;
  }
  std::error_code error;
  ReadResult result = ReadResult::FILE_NOT_FOUND;
  if (fs::is_regular_file(*place, error)) result = read(*place, file, options);
  if (result.validNode()) {
    nameOfRead_[result.getNode()] = file;
    if (extensionOf(file) == "fitup") noteLackOf(*place, file);
    if (isMeshFile(extensionOf(file))) compareWithOwnReader(*place, file, *result.getNode());
  } else {
    warn(missing(file, result.message().empty() ? "could not be read"
                                                : "could not be read: " + validUtf8(result.message())));
  }
  return result;
}

/// The warnings within a model file are not part of the scene that is made of it.
void ExternalFiles::noteLackOf(const fs::path& place, const std::string& file) {
  const Gate::Leave reading;
  try {
    noteUnread(readModelFile(place).warnings, file);
  } catch (const Error& error) {
    warn(missing(file, validUtf8(error.what())));
  }
}

/// OpenSceneGraph's readers of meshes silently drop faces; the project's own readers count them.
void ExternalFiles::compareWithOwnReader(const fs::path& place, const std::string& file, osg::Node& node) {
  const Gate::Leave reading;
  TriangleCount drawn;
  node.accept(drawn);
  try {
    SourceFile own(place);
    ProgressLines silent(nullptr);
    const Model model = readMeshFile(own, {.segmentationAngle = std::nullopt}, silent);
    noteUnread(model.warnings, file);
    if (const std::size_t triangles = trianglesOf(model); drawn.triangles != triangles)
      warn({"external file " + validUtf8(file),
            "OpenSceneGraph reads " + std::to_string(drawn.triangles) + " of its triangles, but it has " +
                std::to_string(triangles) + "; import the file on its own",
            true});
  } catch (const Error& error) {
    const std::string problem = error.what();
    const bool holdsPointsOnly = drawn.triangles == 0 && problem.starts_with("holds no triangles");
    if (!holdsPointsOnly) warn(missing(file, "could not be read completely: " + validUtf8(problem)));
  }
}

ReadResult ExternalFiles::readObject(const std::string& file, const Options* options) {
  // osgDB also asks in this way for attributes of textures and layers of terrains.
  if (isFont(extensionOf(file)) && source_.isCopy(fs::path(file).lexically_normal()))
    return readFont(file, options);
  return isReadable(extensionOf(file)) ? readNode(file, options) : ReadResult(ReadResult::FILE_NOT_FOUND);
}

/// `place`: the place of a copy.
ReadResult ExternalFiles::readFont(const fs::path& place, const Options* options) {
  osgDB::ReaderWriter* const reader = loadFontReader();
  ReadResult result = ReadResult::FILE_NOT_HANDLED;
  if (reader != nullptr) result = reader->readObject(place.string(), options);
  if (!result.validObject())
    warnOfFont(place.filename().string(), reader == nullptr
                                              ? "not read: OpenSceneGraph's font plugin is not installed"
                                              : "could not be read");
  return result;
}

ReadResult ExternalFiles::readImage(const std::string&, const Options*) {
  if (open_.empty() || !isReadByCoin(open_.back())) return ReadResult::FILE_NOT_FOUND;
  const osg::ref_ptr<osg::Image> white = new osg::Image;
  white->allocateImage(1, 1, 1, GL_RGB, GL_UNSIGNED_BYTE);
  std::fill_n(white->data(), white->getTotalSizeInBytes(), static_cast<unsigned char>(255));
  return white.get();
}

ReadResult ExternalFiles::readHeightField(const std::string& file, const Options*) {
  warn(missing(file, "not read: height fields are not supported"));
  return ReadResult::FILE_NOT_FOUND;
}

std::string ExternalFiles::findDataFile(const std::string& file, const Options* options,
                                        osgDB::CaseSensitivity) {
  // osgDB also looks for shaders and images. Only Coin needs them: it reads no file whose images are missing.
  const std::string extension = extensionOf(file);
  const bool isForCoin = !open_.empty() && isReadByCoin(open_.back()) && isImage(extension);
  if (isReadable(extension) || isForCoin) {
    const std::optional<fs::path> place = locate(file, options);
    std::error_code error;
    if (place && fs::exists(*place, error)) return place->string();
  }
  if (isFont(extension) && source_.isCopy(fs::path(file).lexically_normal())) return file;  // found before
  if (options != nullptr) return "";
  // OSG looks for fonts without options and, if it gets no answer, through fontconfig, which reads and writes
  // all over the system.
  if (isFont(extension)) {
    const std::optional<fs::path> place = locate(file, nullptr);
    std::error_code error;
    if (place && fs::is_regular_file(*place, error)) return place->string();
    warnOfFont(file, isAddress(file) ? address : place ? "is missing" : outside);
  } else if (!file.starts_with("shaders/")) {  // node kits ask for OSG's own shaders
    warnOfFont(file,
               "not read: a font must be a file (.ttf, .otf, .ttc, .pfb) in the scene's folder or below");
  }
  return nowhere;
}

std::string ExternalFiles::findLibraryFile(const std::string& name, const Options*, osgDB::CaseSensitivity) {
  if (const auto path = allowedLibrary(name)) return path->string();
  if (const std::string classes = classesOf(name); !classes.empty())
    warn({"classes of " + validUtf8(classes),
          "not read: their library is not among those that may be loaded; parts may be missing", true});
  // After an empty answer, osgDB would search the system, beginning with the working folder.
  return nowhere;
}

bool ExternalFiles::mayLoad(const std::string& library) { return isAllowedLibrary(library); }

bool ExternalFiles::mayRead(const std::string& file) {
  std::error_code error;
  const fs::path path = fs::absolute(file, error).lexically_normal();
  if (!source_.isCopy(path)) {
    if (!fs::exists(path, error)) return true;  // it fails by itself
    if (!isImage(extensionOf(file))) warn(missing(path.string(), outside));
    return false;
  }
  if (source_.find(path.string()).isFound() && path != source_.bytes()) opened_.insert(path);
  return true;
}

void ExternalFiles::refused(const std::string& what) {
  warn({"file", "asked for " + validUtf8(what) + ", which was refused; parts may be missing", true});
}

void ExternalFiles::hear(const std::string& text) {
  // The message of COLLADA's reader about geometry that another file should hold.
  constexpr std::string_view lost = "Failed to locate geometry ";
  if (const std::size_t at = text.find(lost); at != std::string::npos)
    return warn(
        {"geometry " + validUtf8(text.substr(at + lost.size(), text.find('\n', at) - at - lost.size())),
         "could not be read; its parts are missing", true});
  // Coin's message about files that nodes of Inventor and VRML name.
  constexpr std::string_view absent = "Could not find '", closed = "Found '", end = "'";
  const bool isClosed = text.find("was unable to open it") != std::string::npos;
  const std::string_view begin = isClosed ? closed : absent;
  std::size_t from = text.find(begin);
  if (from == std::string::npos) {
    // Coin skips what is damaged, or stops there.
    if (constexpr std::string_view damaged = "Coin read error: "; text.starts_with(damaged))
      warn({"file",
            "damaged: " + validUtf8(text.substr(damaged.size(), text.find('\n') - damaged.size())) +
                "; parts may be missing",
            true});
    return;
  }
  from += begin.size();
  const std::string name = text.substr(from, text.find(end, from) - from);
  const std::optional<fs::path> place = locate(name, nullptr);
  if (place && isClosed && fs::exists(*place))
    return warn(missing(name,
                        "could not be opened: the system refused, or too many files that refer to each other "
                        "are open at once"));
  if (const char* const refusal = isAddress(name) ? address : place ? nullptr : outside)
    return warn(missing(name, refusal));
  warn(missing(name, "could not be read"));
}

/// Coin leaves inline files to a browser and does not report them.
void ExternalFiles::noteUnreadInlines() {
  opened_.insert(source_.bytes());
  for (const fs::path& file : opened_) {
    if (!isReadByCoin(file)) continue;
    try {
      if (FileBytes::map(file)->text().find("WWWInline") != std::string_view::npos)
        warn({"external files of " + validUtf8(file.filename().string()),
              "WWWInline is not supported; parts may be missing", true});
    } catch (const FileError&) {
      continue;  // it was read before, and that reading is complete
    }
  }
}

void ExternalFiles::warnOfFont(const std::string& font, const std::string& problem) {
  ImportWarning warning{"font " + validUtf8(font), problem, true};
  if (fontWarnings.size() < mostWarnings && said_.insert(warning.element + '\n' + warning.message).second)
    fontWarnings.push_back(std::move(warning));
}

/// Each warning once, because references may be repeated endlessly.
void ExternalFiles::warn(ImportWarning warning) {
  if (warnings.size() < mostWarnings && said_.insert(warning.element + '\n' + warning.message).second)
    warnings.push_back(std::move(warning));
}

}  // namespace fitup::importers
