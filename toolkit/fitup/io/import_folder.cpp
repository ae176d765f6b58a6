#include <fitup/io/import_folder.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/io/file_digest.h>

namespace fitup {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view namePrefix = "fitup-import-", nameEnd = "XXXXXX";
/// Between the creation of a folder and its locking, another import must not take it for an abandoned one.
constexpr auto youngest = std::chrono::minutes(1);

/// Opens a folder. Negative if it does not belong to this user alone, or is a link.
int openPrivate(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  struct stat status {};
  if (descriptor >= 0 && ::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid() &&
      (status.st_mode & (S_IRWXG | S_IRWXO)) == 0)
    return descriptor;
  if (descriptor >= 0) ::close(descriptor);
  return -1;
}

/// Locks the folder itself; the lock ends with the process. Returns false if another process holds it.
bool lockFolder(int folder) { return ::flock(folder, LOCK_EX | LOCK_NB) == 0; }

/// A path to an open folder.
fs::path pathOf(int folder) { return "/proc/self/fd/" + std::to_string(folder); }

std::vector<std::string> namesIn(int folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator i(pathOf(folder), error), end; !error && i != end; i.increment(error))
    names.push_back(i->path().filename().string());
  return names;
}

/// Removes everything in a folder that an importer can have made. Follows no links. Nested folders are moved
/// up before they are emptied, so that no depth needs many open files.
void emptyFolder(int folder) {
  std::size_t moved = 0;
  for (bool again = true; again;) {
    again = false;
    for (const std::string& name : namesIn(folder)) {
      if (::unlinkat(folder, name.c_str(), 0) == 0) continue;
      ::fchmodat(folder, name.c_str(), 0700, 0);  // it may lack rights; fails in a confined process
      const int below = ::openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
      if (below < 0) continue;
      for (const std::string& inner : namesIn(below)) {
        if (::unlinkat(below, inner.c_str(), 0) == 0) continue;
        int result = -1;
        do result = ::renameat(below, inner.c_str(), folder, std::to_string(moved++).c_str());
        while (result != 0 && (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR || errno == EISDIR));
        again = again || result == 0;
      }
      ::close(below);
      ::unlinkat(folder, name.c_str(), AT_REMOVEDIR);
    }
  }
}

/// True for names that `mkdtemp` makes: the prefix, and letters and digits.
bool isNameOfOurs(const std::string& name) {
  return name.size() == namePrefix.size() + nameEnd.size() && name.starts_with(namePrefix) &&
         std::all_of(name.begin() + namePrefix.size(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0; });
}

/// True if the folder holds only what an import leaves: its model file, a temporary file for it, and copies.
/// A folder of somebody else may have such a name.
bool holdsOnlyOurs(int folder) {
  std::error_code error;
  for (fs::directory_iterator i(pathOf(folder), error), end; !error && i != end; i.increment(error)) {
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
    const int folder = openPrivate(i->path());
    if (folder < 0) continue;
    if (lockFolder(folder) && holdsOnlyOurs(folder)) {
      emptyFolder(folder);
      ::rmdir(i->path().c_str());
    }
    ::close(folder);
  }
}

/// Throws FileError if others may replace the contents of the folder, or the folder itself.
void requireNotExchangeable(const fs::path& folder) {
  fs::path above = canonicalFolder(folder);
  for (bool isIt = true;; above = above.parent_path(), isIt = false) {
    struct stat status {};
    const bool isKnown = ::stat(above.c_str(), &status) == 0, isSticky = (status.st_mode & S_ISVTX) != 0;
    // Home folders are often open to a group whose only member is the user.
    const bool isOthers = status.st_uid != ::geteuid() && status.st_uid != 0;
    if (isKnown && !isSticky &&
        ((status.st_mode & S_IWOTH) != 0 || ((status.st_mode & S_IWGRP) != 0 && isOthers)))
      throw FileError(folder.string() + ": cannot keep temporary files there: other users may replace them" +
                      (isIt ? "" : ", because they can write to " + above.string()));
    if (above == above.parent_path()) return;
  }
}

fs::path systemsFolder() {
  std::error_code error;
  fs::path folder = fs::temp_directory_path(error);
  if (!error) return folder;
  // The standard library does not report which folder it tried.
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
  requireNotExchangeable(parent);
  removeAbandoned(parent);
  std::string pattern = (parent / (std::string(namePrefix) + std::string(nameEnd))).string();
  if (::mkdtemp(pattern.data()) == nullptr)
    throw FileError(pattern + ": cannot create: " + std::generic_category().message(errno));
  path_ = pattern;
  open_ = openPrivate(path_);
  if (open_ < 0) throw FileError(pattern + ": cannot use: it was replaced by another one");
  (void)lockFolder(open_);  // on a file system without locks, only its age protects it
  if (::mkdirat(open_, copiesName, 0700) != 0) {
    const int error = errno;
    ::close(open_);
    ::rmdir(path_.c_str());
    throw FileError(copies().string() + ": cannot create: " + std::generic_category().message(error));
  }
}

ImportFolder::~ImportFolder() {
  emptyFolder(open_);
  ::rmdir(path_.c_str());
  ::close(open_);
}

fs::path ImportFolder::inside() const { return pathOf(open_); }

std::optional<std::uintmax_t> ImportFolder::bytes() const {
  constexpr std::uintmax_t page = 4096, ofStatus = 512;
  std::uintmax_t sum = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator i(inside(), error), end; !error && i != end; i.increment(error)) {
    if (i.depth() >= deepest) return std::nullopt;
    struct stat status {};
    if (::lstat(i->path().c_str(), &status) != 0) continue;  // it was removed meanwhile
    sum += std::max(page, static_cast<std::uintmax_t>(status.st_blocks) * ofStatus);
  }
  return sum;
}

ImportFolder::Copy ImportFolder::copy(const fs::path& source, const std::optional<fs::path>& root,
                                      const WorkMeter& meter) const {
  const fs::path folder = canonicalFolder(source.parent_path());
  Copy made{{}, root ? canonicalFolder(*root) : folder, {}};
  if (!isBelow(made.root, folder))
    throw InputError(source.string(), "", "is outside the root folder " + root->string());
  const fs::path place = (folder.lexically_relative(made.root) / source.filename()).lexically_normal();
  made.file = (copies() / place).lexically_normal();
  const fs::path copied = (inside() / copiesName / place).lexically_normal();
  std::error_code error;
  fs::create_directories(copied.parent_path(), error);
  if (error) throw FileError(made.file.string() + ": cannot create: " + error.message());
  made.digest = copyWithDigest(source, copied, meter);
  return made;
}

}  // namespace fitup
