#include <fitup/io/atomic_file.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <locale>
#include <memory>
#include <streambuf>
#include <system_error>
#include <utility>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/io/formats.h>

namespace fitup {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& what, int error) {
  throw FileError(file.string() + ": " + what + ": " + std::generic_category().message(error));
}

constexpr const char* temporarySuffix = ".tmp";

/// Prefix of the names of a target's temporary files. Names have at most 255 bytes in file systems, so a long
/// name is replaced by its hash.
std::string temporaryPrefix(const std::filesystem::path& target) {
  constexpr std::size_t longest = 255 - 40;  // process id, counter and suffix follow
  std::string name = target.filename().string();
  if (name.size() > longest) {
    ContentHash hash;
    hash.addText(name);
    name = "fitup-" + hashText(hash.value());
  }
  return "." + name + ".";
}

/// A buffered stream to a descriptor. Keeps the system's reason for the first failure.
class DescriptorBuffer : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor) : descriptor_(descriptor), buffer_(std::size_t{1} << 18) {
    setp(buffer_.data(), buffer_.data() + buffer_.size());
  }
  [[nodiscard]] int error() const noexcept { return error_; }

 protected:
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) {
      *pptr() = traits_type::to_char_type(c);
      pbump(1);
    }
    return traits_type::not_eof(c);
  }
  int sync() override {
    const bool good = writeAll(pbase(), static_cast<std::size_t>(pptr() - pbase()));
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return good ? 0 : -1;
  }
  std::streamsize xsputn(const char* data, std::streamsize size) override {
    // Writes large arrays directly to the file.
    if (size < static_cast<std::streamsize>(buffer_.size())) return std::streambuf::xsputn(data, size);
    return sync() == 0 && writeAll(data, static_cast<std::size_t>(size)) ? size : 0;
  }

 private:
  bool writeAll(const char* data, std::size_t size) {
    while (size > 0 && error_ == 0) {
      const ssize_t written = ::write(descriptor_, data, size);
      if (written < 0) {
        if (errno != EINTR) error_ = errno;
        continue;
      }
      data += written;
      size -= static_cast<std::size_t>(written);
    }
    return error_ == 0;
  }

  int descriptor_;
  int error_ = 0;
  std::vector<char> buffer_;
};

/// Locks a folder against other writers during a rename; the lock ends with the process. Gives up after some
/// seconds, because others may use such locks for purposes of their own.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder)
      : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    constexpr int mostTries = 5000;
    for (int i = 0; i < mostTries && descriptor_ >= 0; ++i) {
      if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {
        isHeldByAnother_ = false;
        return;
      }
      isHeldByAnother_ = errno == EWOULDBLOCK;
      if (!isHeldByAnother_ && errno != EINTR) return;  // network file systems do not lock folders
      ::usleep(1000);
    }
  }
  [[nodiscard]] bool isHeldByAnother() const noexcept { return isHeldByAnother_; }
  ~FolderLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
  bool isHeldByAnother_ = false;
};

/// The file for the new contents: an unnamed file if the file system supports it, so that a killed process
/// leaves nothing; otherwise a named one whose name identifies the target. Closed at the end, and removed
/// unless it has replaced the target.
class TemporaryFile {
 public:
  TemporaryFile(std::filesystem::path target, std::filesystem::path folder)
      : target_(std::move(target)), folder_(std::move(folder)) {
    // It gets its name through /proc at the end, which minimal roots lack.
    if (::access("/proc/self/fd", X_OK) == 0)
      descriptor_ = ::open(folder_.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) return;
    do {
      path_ = nextName();
      descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ < 0) path_.clear();
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    const int error = errno;
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!path_.empty()) ::unlink(path_.c_str());
    errno = error;
  }

  /// Negative if nothing can be written there; errno then has the reason.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  /// Replaces the target by this file if the target still is `expected` (null: whatever it is). Returns false
  /// with errno set on failure. Throws FileChangedError, which uses `name`, and as `versionAt`.
  bool replaceTarget(const FileVersion* expected, const std::string& name) {
    // A target that does not exist is made directly, which fails if somebody else makes it first.
    const bool made = expected == nullptr && path_.empty() && link(target_);
    if (!made && !replaceLocked(expected, name)) return false;
    path_.clear();
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    return closed == 0;
  }

 private:
  std::filesystem::path nextName() const {
    static std::atomic<unsigned> counter{0};
    return folder_ / (temporaryPrefix(target_) + std::to_string(::getpid()) + "-" +
                      std::to_string(counter++) + temporarySuffix);
  }
  bool replaceLocked(const FileVersion* expected, const std::string& name) {
    const FolderLock lock(folder_);
    if (expected != nullptr) {
      if (lock.isHeldByAnother()) {
        errno = EBUSY;
        return false;
      }
      if (const FileVersion found = versionAt(target_); found != *expected)
        throw FileChangedError(name, *expected, found);
    }
    return path_.empty() ? nameIt() : std::rename(path_.c_str(), target_.c_str()) == 0;
  }
  /// Gives the unnamed file this name. Returns false with errno set, such as EEXIST.
  bool link(const std::filesystem::path& name) const {
    const std::string source = "/proc/self/fd/" + std::to_string(descriptor_);
    return ::linkat(AT_FDCWD, source.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  }
  /// Puts the unnamed file in the place of the target. If there is an old target, the file gets a second name
  /// for a moment, because only a rename replaces. The name is always the same, so at most one such file
  /// remains, and the next write of the target reuses it. Only the holder of the folder's lock uses that
  /// name.
  bool nameIt() {
    if (link(target_)) return true;
    if (errno != EEXIST) return false;
    const std::filesystem::path name = folder_ / (temporaryPrefix(target_) + "new");
    ::unlink(name.c_str());
    if (!link(name)) return false;
    if (std::rename(name.c_str(), target_.c_str()) == 0) return true;
    const int error = errno;
    ::unlink(name.c_str());
    errno = error;
    return false;
  }

  std::filesystem::path target_, folder_, path_;  ///< path_ is empty while the file has no name
  int descriptor_ = -1;
};

/// Removes the leftovers of processes that were killed while they wrote this target, after an hour, because a
/// process of another machine may still be writing.
void removeLeftOvers(const std::filesystem::path& target, const std::filesystem::path& folder) {
  constexpr auto age = std::chrono::hours(1);
  const std::string prefix = temporaryPrefix(target);
  std::error_code error;
  for (std::filesystem::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    const std::string name = i->path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(temporarySuffix)) continue;
    // PROCESS-NUMBER; any other file belongs to a user.
    const std::string_view middle = std::string_view(name).substr(
        prefix.size(), std::max(name.size(), prefix.size() + 4) - prefix.size() - 4);
    if (middle.find('-') == middle.npos || middle.find_first_not_of("-0123456789") != middle.npos ||
        !std::filesystem::is_regular_file(i->symlink_status()))
      continue;
    std::error_code ignored;
    const auto written = std::filesystem::last_write_time(i->path(), ignored);
    if (!ignored && std::filesystem::file_time_type::clock::now() - written > age)
      std::filesystem::remove(i->path(), ignored);
  }
}

void writeTo(int descriptor, const std::filesystem::path& file,
             const std::function<void(std::ostream&)>& write) {
  DescriptorBuffer buffer(descriptor);
  std::ostream stream(&buffer);
  stream.imbue(std::locale::classic());
  write(stream);
  stream.flush();
  if (buffer.error() != 0) fail(file, "cannot write", buffer.error());
  if (!stream) fail(file, "cannot write", EIO);
}

/// Flushes to disk in pieces and can be cancelled between them. File systems that cannot flush a piece leave
/// it to the last call. Returns false with errno set on failure.
bool flushToDisk(int descriptor, const Progress& progress) {
  constexpr off64_t piece = off64_t{1} << 24;
  struct stat now {};
  if (::fstat(descriptor, &now) != 0) return false;
  for (off64_t at = 0; at < now.st_size; at += piece) {
    if (progress.cancelled()) throw CancelledError();
    constexpr unsigned whole =
        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
    if (::sync_file_range(descriptor, at, piece, whole) != 0) break;
  }
  return ::fsync(descriptor) == 0;
}

/// Makes the rename itself durable, if the file system can.
void syncFolder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

/// Links in /proc lead to files that a process has open; no path there could be replaced.
bool isInProc(const std::filesystem::path& link) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::canonical(link.parent_path(), error);
  return !error && folder.native().starts_with("/proc/");
}

/// True if a link is in a folder where everybody may make links and belongs neither to this user nor to the
/// owner of the folder.
bool isOfStranger(const std::filesystem::path& link) {
  const std::filesystem::path folder = link.has_parent_path() ? link.parent_path() : ".";
  struct stat ofLink {
  }, ofFolder{};
  if (::lstat(link.c_str(), &ofLink) != 0 || ::stat(folder.c_str(), &ofFolder) != 0) return false;
  constexpr mode_t anybodys = S_ISVTX | S_IWOTH;
  return (ofFolder.st_mode & anybodys) == anybodys && ofLink.st_uid != ::geteuid() &&
         ofLink.st_uid != ofFolder.st_uid;
}

/// A descriptor of a pipe or a device, closed at the end.
class DirectOutput {
 public:
  /// Waits for a reader of a pipe, for a limited time.
  DirectOutput(const std::filesystem::path& file, const Progress& progress) {
    constexpr int mostTries = 200, betweenTries = 10'000;  // microseconds
    for (int i = 0; i < mostTries; ++i) {
      descriptor_ = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
      if (descriptor_ >= 0 || errno != ENXIO) break;
      if (progress.cancelled()) throw CancelledError();
      ::usleep(betweenTries);
      errno = ENXIO;
    }
    if (descriptor_ >= 0) ::fcntl(descriptor_, F_SETFL, ::fcntl(descriptor_, F_GETFL) & ~O_NONBLOCK);
  }
  ~DirectOutput() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  DirectOutput(const DirectOutput&) = delete;
  DirectOutput& operator=(const DirectOutput&) = delete;
  /// Negative if it cannot be opened; errno then has the reason.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_ = -1;
};

void writeFile(const std::filesystem::path& target, const FileVersion* expected,
               const std::function<void(std::ostream&)>& write, const Progress& progress) {
  const std::filesystem::path file = writtenFile(target);

  struct stat old {};
  const bool exists = ::stat(file.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) fail(target, "cannot write", EISDIR);
  if (exists && S_ISBLK(old.st_mode)) fail(target, "cannot write", ENOTSUP);  // a disk is not a file
  if (exists && !S_ISREG(old.st_mode)) {  // a pipe or a device such as /dev/stdout cannot be renamed over
    const DirectOutput output(file, progress);
    if (output.descriptor() < 0 && errno == ENXIO && S_ISFIFO(old.st_mode))
      throw FileError(target.string() + ": cannot write: no process reads the pipe");
    if (output.descriptor() < 0) fail(target, "cannot write", errno);
    writeTo(output.descriptor(), target, write);
    return;
  }

  const std::filesystem::path folder =
      file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  removeLeftOvers(file, folder);
  TemporaryFile temporary(file, folder);
  if (temporary.descriptor() < 0) fail(target, "cannot write", errno);
  if (exists) (void)::fchmod(temporary.descriptor(), old.st_mode & 0777);

  writeTo(temporary.descriptor(), target, write);
  if (!flushToDisk(temporary.descriptor(), progress)) fail(target, "cannot flush to disk", errno);
  if (!temporary.replaceTarget(expected, target.string())) fail(target, "cannot replace", errno);
  syncFolder(folder);
}

}  // namespace

void writeFileAtomically(const std::filesystem::path& target, const std::function<void(std::ostream&)>& write,
                         const Progress& progress) {
  writeFile(target, nullptr, write, progress);
}

void replaceFileAtomically(const std::filesystem::path& target, const FileVersion& expected,
                           const std::function<void(std::ostream&)>& write, const Progress& progress) {
  writeFile(target, &expected, write, progress);
}

std::filesystem::path writtenFile(const std::filesystem::path& target) {
  constexpr int mostLinks = 40;  // the limit of Linux
  std::filesystem::path file = target;
  std::error_code error;
  for (int links = 0; std::filesystem::is_symlink(file, error); ++links) {
    if (links == mostLinks) fail(target, "cannot write", ELOOP);
    if (isInProc(file)) {
      if (std::filesystem::is_regular_file(file, error))
        throw FileError(target.string() + ": cannot write: it leads to a file that a process has open");
      return file;
    }
    if (isOfStranger(file))
      throw FileError(target.string() + ": cannot write: " + file.string() +
                      " is a link that belongs to another user");
    const std::filesystem::path next = std::filesystem::read_symlink(file, error);
    if (error) fail(target, "cannot write", error.value());
    file = file.parent_path() / next;
  }
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  const bool replaces = std::filesystem::is_regular_file(status) || !std::filesystem::exists(status);
  if (replaces && lowerExtension(file) != lowerExtension(target))
    throw FileError(target.string() + ": cannot write: it is a link to a file of another kind, " +
                    file.string());
  return file;
}

}  // namespace fitup
