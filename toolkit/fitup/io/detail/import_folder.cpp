#include <fitup/io/detail/import_folder.h>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <string>
#include <system_error>

#include <fitup/base/error.h>
#include <fitup/io/detail/file_digest.h>

namespace fitup::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view namePrefix = "fitup-import-", nameEnd = "XXXXXX";
/// Between the making of a folder and its locking another import must not take it for an abandoned one.
constexpr auto youngest = std::chrono::minutes(1);

/// The folder itself carries the lock; it ends with the process. Negative where somebody holds it.
int lockFolder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  if (descriptor >= 0) ::close(descriptor);
  return -1;
}

/// As `mkdtemp` made it: the prefix, and letters and digits.
bool isNameOfOurs(const std::string& name) {
  return name.size() == namePrefix.size() + nameEnd.size() && name.starts_with(namePrefix) &&
         std::all_of(name.begin() + namePrefix.size(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0; });
}

/// Whether all that lies there is what an import leaves: its model file, or what was to become one, and
/// copies. A folder of somebody else may have such a name.
bool holdsOnlyOurs(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    const std::string name = i->path().filename().string();
    std::error_code ignored;
    if (name == ImportFolder::copiesName && i->symlink_status(ignored).type() == fs::file_type::directory)
      continue;
    if (!i->is_regular_file(ignored) || (name != ImportFolder::modelName &&
                                         !name.starts_with("." + std::string(ImportFolder::modelName) + ".")))
      return false;
  }
  return !error;
}

void removeAbandoned(const fs::path& parent) {
  std::error_code error;
  for (fs::directory_iterator i(parent, error), end; !error && i != end; i.increment(error)) {
    if (!isNameOfOurs(i->path().filename().string())) continue;
    struct stat status {};
    if (::lstat(i->path().c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::geteuid())
      continue;
    std::error_code ignored;
    const auto changed = fs::last_write_time(i->path(), ignored);
    if (ignored || fs::file_time_type::clock::now() - changed < youngest) continue;
    if (const int lock = lockFolder(i->path()); lock >= 0) {
      if (holdsOnlyOurs(i->path())) fs::remove_all(i->path(), ignored);
      ::close(lock);
    }
  }
}

fs::path systemsFolder() {
  std::error_code error;
  fs::path folder = fs::temp_directory_path(error);
  if (!error) return folder;
  // The standard library does not say which one it looked at.
  const char* named = nullptr;
  for (const char* variable : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})
    if (named == nullptr) named = std::getenv(variable);
  throw FileError(std::string(named ? named : "/tmp") +
                  ": cannot keep temporary files there: " + error.message());
}

}  // namespace

fs::path canonicalFolder(const fs::path& folder) {
  std::error_code error;
  fs::path canonical = fs::canonical(folder.empty() ? fs::path(".") : folder, error);
  if (error) throw FileError(folder.string() + ": cannot read: " + error.message());
  return canonical;
}

bool isBelow(const fs::path& folder, const fs::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

ImportFolder::ImportFolder() {
  const fs::path parent = systemsFolder();
  struct stat status {};
  if (::stat(parent.c_str(), &status) == 0 && (status.st_mode & S_IWOTH) != 0 &&
      (status.st_mode & S_ISVTX) == 0)
    throw FileError(parent.string() + ": cannot keep temporary files there: others may exchange them");
  removeAbandoned(parent);
  std::string pattern = (parent / (std::string(namePrefix) + std::string(nameEnd))).string();
  if (::mkdtemp(pattern.data()) == nullptr)
    throw FileError(pattern + ": cannot create: " + std::generic_category().message(errno));
  path_ = pattern;
  if (::mkdir(copies().c_str(), 0700) != 0)
    throw FileError(copies().string() + ": cannot create: " + std::generic_category().message(errno));
  lock_ = lockFolder(path_);
}

ImportFolder::~ImportFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  // What takes it for a file first is refused where a process is confined.
  ::rmdir(path_.c_str());
  if (lock_ >= 0) ::close(lock_);
}

ImportFolder::Copy ImportFolder::copy(const fs::path& source, const std::optional<fs::path>& root,
                                      const WorkMeter& meter) const {
  const fs::path folder = canonicalFolder(source.parent_path());
  Copy made{{}, root ? canonicalFolder(*root) : folder, {}};
  if (!isBelow(made.root, folder))
    throw InputError(source.string(), "", "does not lie below the root folder " + root->string());
  made.file = (copies() / folder.lexically_relative(made.root) / source.filename()).lexically_normal();
  std::error_code error;
  fs::create_directories(made.file.parent_path(), error);
  if (error) throw FileError(made.file.string() + ": cannot create: " + error.message());
  made.digest = copyWithDigest(source, made.file, meter);
  return made;
}

}  // namespace fitup::detail
