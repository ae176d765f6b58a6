#include <fitup/io/atomic_file.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <locale>
#include <memory>
#include <streambuf>
#include <system_error>
#include <vector>

#include <fitup/base/error.h>

namespace fitup {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& what, int error) {
  throw FileError(file.string() + ": " + what + ": " + std::generic_category().message(error));
}

/// A buffered stream onto a descriptor that keeps the system's reason for the first failure.
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
    // Large arrays go straight to the file.
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

/// Closes the descriptor and removes the temporary file unless it was renamed.
struct TemporaryFile {
  std::filesystem::path path;
  int descriptor = -1;
  bool keep = false;

  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor >= 0) ::close(descriptor);
    if (!keep) ::unlink(path.c_str());
  }
};

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

/// Makes the rename itself durable; file systems that cannot are left as they are.
void syncFolder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

void writeFileAtomically(const std::filesystem::path& target,
                         const std::function<void(std::ostream&)>& write) {
  std::filesystem::path file = target;
  std::error_code ignored;
  // A link stays a link: what it points to is replaced.
  if (std::filesystem::is_symlink(file, ignored)) {
    const auto resolved = std::filesystem::canonical(file, ignored);
    if (!ignored) file = resolved;
  }

  struct stat old {};
  const bool exists = ::stat(file.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) fail(target, "cannot write", EISDIR);
  if (exists && !S_ISREG(old.st_mode)) {  // a pipe or a device such as /dev/stdout cannot be renamed over
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) fail(target, "cannot write", errno);
    const std::unique_ptr<const int, void (*)(const int*)> closer(&descriptor,
                                                                  [](const int* d) { ::close(*d); });
    writeTo(descriptor, target, write);
    return;
  }

  static std::atomic<unsigned> counter{0};
  const std::filesystem::path folder =
      file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  TemporaryFile temporary;
  do {
    temporary.path = folder / ("." + file.filename().string() + "." + std::to_string(::getpid()) + "-" +
                               std::to_string(counter++) + ".tmp");
    temporary.descriptor = ::open(temporary.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (temporary.descriptor < 0 && errno == EEXIST);
  if (temporary.descriptor < 0) {
    const int error = errno;
    temporary.keep = true;  // nothing to remove
    fail(target, "cannot write", error);
  }
  if (exists) (void)::fchmod(temporary.descriptor, old.st_mode & 07777);

  writeTo(temporary.descriptor, target, write);
  if (::fsync(temporary.descriptor) != 0) fail(target, "cannot flush to disk", errno);
  const int closed = ::close(temporary.descriptor);
  temporary.descriptor = -1;
  if (closed != 0) fail(target, "cannot write", errno);
  if (std::rename(temporary.path.c_str(), file.c_str()) != 0) fail(target, "cannot replace", errno);
  temporary.keep = true;
  syncFolder(folder);
}

}  // namespace fitup
