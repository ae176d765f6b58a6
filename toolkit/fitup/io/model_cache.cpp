#include <fitup/io/model_cache.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/io/file_digest.h>
#include <fitup/io/import_folder.h>

namespace fitup {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".fitup";
constexpr std::size_t keyLength = 64;
/// Age in seconds at which a temporary file is no longer taken for one that is being written.
constexpr std::time_t abandonedAfter = 3600;

[[noreturn]] void refuse(const fs::path& folder, const std::string& reason) {
  throw FileError(folder.string() + ": cannot keep a cache there: " + reason);
}

/// True if others may replace the contents of a folder. In a sticky one, such as /tmp, they may replace only
/// their own files.
bool isOpenToOthers(const struct stat& status) {
  if ((status.st_mode & S_IWOTH) != 0 && (status.st_mode & S_ISVTX) == 0) return true;
  return status.st_uid != ::geteuid() && status.st_uid != 0;
}

/// Throws FileError if anybody else could put something into the folder, which is open as `descriptor`.
void requirePrivate(const fs::path& folder, int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) refuse(folder, std::generic_category().message(errno));
  if (status.st_uid != ::geteuid()) refuse(folder, "it belongs to another user");
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) refuse(folder, "other users can write to it");
  for (fs::path above = folder.parent_path();; above = above.parent_path()) {
    if (::stat(above.c_str(), &status) != 0 || isOpenToOthers(status))
      refuse(folder, "others may exchange it, because they can write to " + above.string());
    if (above == above.parent_path()) return;
  }
}

bool isEntryName(std::string_view name) {
  return name.size() == keyLength + extension.size() && name.ends_with(extension) &&
         std::all_of(name.begin(), name.begin() + keyLength,
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

/// True for temporary files of `writeFileAtomically`.
bool isLeftOver(std::string_view name) {
  return name.starts_with('.') &&
         isEntryName(name.substr(1, std::min(name.size() - 1, keyLength + extension.size())));
}

struct Found {
  fs::path file;
  struct stat status {};
};

/// The regular files of the folder whose names `accepts` accepts.
template <typename Accepts>
std::vector<Found> filesIn(const fs::path& folder, const Accepts& accepts) {
  std::vector<Found> found;
  std::error_code error;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    Found file{i->path(), {}};
    if (accepts(file.file.filename().string()) && ::lstat(file.file.c_str(), &file.status) == 0 &&
        S_ISREG(file.status.st_mode))
      found.push_back(std::move(file));
  }
  return found;
}

/// The time of the last modification stores that of the last use.
bool isUsedLater(const Found& a, const Found& b) {
  return std::pair(a.status.st_mtim.tv_sec, a.status.st_mtim.tv_nsec) >
         std::pair(b.status.st_mtim.tv_sec, b.status.st_mtim.tv_nsec);
}

std::uint64_t removed(const Found& found) {
  return ::unlink(found.file.c_str()) == 0 ? static_cast<std::uint64_t>(found.status.st_size) : 0;
}

/// True if the files that the source refers to are unchanged.
bool companionsAgree(const fs::path& folder, const fs::path& root, const ModelSource& source,
                     const WorkMeter& meter) {
  return std::all_of(source.referencedFiles.begin(), source.referencedFiles.end(),
                     [&](const CompanionFile& companion) {
                       std::error_code error;
                       const fs::path file = fs::weakly_canonical(folder / companion.path, error);
                       if (error || !isBelow(root, file)) return false;  // it has become a link
                       if (!companion.digest.isKnown()) return !fs::exists(file, error);
                       try {
                         return digestOfFile(file, meter) == companion.digest;
                       } catch (const FileError&) {
                         return false;
                       }
                     });
}

}  // namespace

/// An open folder. Paths through it lead to the folder that was checked, even if somebody who may write above
/// it replaces it.
class ModelCache::Folder {
 public:
  explicit Folder(const fs::path& folder)
      : number_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) {
    if (number_ < 0)
      refuse(folder, errno == ENOTDIR || errno == ELOOP ? "it is not a folder"
                                                        : std::generic_category().message(errno));
    try {
      requirePrivate(folder, number_);
    } catch (...) {
      ::close(number_);
      throw;
    }
  }
  ~Folder() { ::close(number_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] fs::path path() const { return "/proc/self/fd/" + std::to_string(number_); }

 private:
  int number_;
};

fs::path ModelCache::userFolder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "fitup";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home != '/')
    throw FileError("there is no folder for a cache: neither XDG_CACHE_HOME nor HOME names one");
  return fs::path(home) / ".cache" / "fitup";
}

std::uint64_t ModelCache::userLimit() {
  const char* text = std::getenv("FITUP_CACHE_LIMIT");
  const std::string_view said = text != nullptr ? text : "";
  std::uint64_t mebibytes = 0;
  const auto [stop, error] = std::from_chars(said.data(), said.data() + said.size(), mebibytes);
  const bool good = error == std::errc{} && stop == said.data() + said.size() && mebibytes < (1ULL << 40);
  return good ? mebibytes << 20 : usualLimit;
}

ModelCache::ModelCache(fs::path folder, std::uint64_t limit) : limit_(limit) {
  std::error_code error;
  // A folder that root makes in another user's home would lock that user out.
  fs::path above = fs::absolute(folder, error).parent_path();
  while (above.has_relative_path() && !fs::exists(above, error)) above = above.parent_path();
  struct stat status {};
  if (::stat(above.c_str(), &status) == 0 && status.st_uid != ::geteuid() && status.st_uid != 0)
    refuse(folder, above.string() + " belongs to another user");
  // Links above the folder belong to the user, for example to another disk; their target is checked.
  fs::create_directories(folder.parent_path(), error);
  folder_ = fs::weakly_canonical(folder.parent_path(), error) / folder.filename();
  if (error) refuse(folder, error.message());
  if (::mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST)
    refuse(folder_, std::generic_category().message(errno));
  open_ = std::make_shared<const Folder>(folder_);
}

fs::path ModelCache::fileOf(const Digest& key) const {
  return open_->path() / (digestText(key) + std::string(extension));
}

std::vector<ModelCache::Entry> ModelCache::entries() const {
  std::vector<Found> found = filesIn(open_->path(), isEntryName);
  std::sort(found.begin(), found.end(), isUsedLater);
  std::vector<Entry> entries;
  for (const Found& each : found) {
    const auto source = readModelFileSource(each.file);
    const auto seconds = std::chrono::seconds(each.status.st_mtim.tv_sec);
    entries.push_back({folder_ / each.file.filename(), source ? source->path : std::string(),
                       static_cast<std::uint64_t>(each.status.st_size),
                       std::chrono::system_clock::time_point(seconds)});
  }
  return entries;
}

std::uint64_t ModelCache::clear() const {
  std::uint64_t freed = 0;
  for (const Found& found :
       filesIn(open_->path(), [](std::string_view name) { return isEntryName(name) || isLeftOver(name); }))
    freed += removed(found);
  return freed;
}

std::optional<Model> ModelCache::find(const Digest& key, const fs::path& folder,
                                      const std::optional<fs::path>& root, const Progress& progress) const {
  const fs::path file = fileOf(key);
  const std::optional<ModelSource> source = readModelFileSource(file);
  if (!source) return std::nullopt;
  try {
    const fs::path start = canonicalFolder(folder);
    if (!companionsAgree(start, root ? canonicalFolder(*root) : start, *source, WorkMeter(progress)))
      return std::nullopt;
    Model model = readModelFile(file, progress, Trust::file);
    if (model.collisionModels.size() != model.assembly.partCount()) return std::nullopt;
    ::utimensat(AT_FDCWD, file.c_str(), nullptr, 0);
    return model;
  } catch (const CancelledError&) {
    throw;
  } catch (const Error&) {
    progress.report("the cached import is damaged; importing again", -1);
    return std::nullopt;
  }
}

void ModelCache::keep(const Digest& key, const Model& model, const Progress& progress) const {
  writeModelFile(fileOf(key), model, progress);
  makeRoom();
}

void ModelCache::makeRoom() const {
  std::vector<Found> entries = filesIn(open_->path(), isEntryName);
  std::sort(entries.begin(), entries.end(), isUsedLater);
  std::uint64_t kept = 0;
  for (const Found& entry : entries) {
    kept += static_cast<std::uint64_t>(entry.status.st_size);
    if (kept > limit_) kept -= removed(entry);
  }
  for (const Found& left : filesIn(open_->path(), isLeftOver))
    if (std::time(nullptr) - left.status.st_mtim.tv_sec > abandonedAfter) removed(left);
}

}  // namespace fitup
