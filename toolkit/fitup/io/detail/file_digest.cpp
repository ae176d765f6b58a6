#include <fitup/io/detail/file_digest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <system_error>
#include <vector>

#include <fitup/base/error.h>

namespace fitup::detail {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file, const char* what, int error) {
  throw FileError(file.string() + ": cannot " + what + ": " + std::generic_category().message(error));
}

/// An open file; closed at the end of the scope.
class Descriptor {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const noexcept { return number_; }

 private:
  int number_;
};

/// Not one that blocks, such as a pipe.
int openPlain(const fs::path& file) {
  const int number = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (number < 0) fail(file, "read", errno);
  struct stat status {};
  int error = ::fstat(number, &status) != 0 ? errno : 0;
  if (error == 0 && !S_ISREG(status.st_mode)) error = S_ISDIR(status.st_mode) ? EISDIR : ENODEV;
  if (error == 0) return number;
  ::close(number);
  fail(file, "read", error);
}

/// Hands the bytes to `take` in pieces.
template <typename Take>
Digest readThrough(const fs::path& file, const WorkMeter& meter, const Take& take) {
  const Descriptor in(openPlain(file));
  Digester digester;
  std::vector<std::byte> buffer(std::size_t{1} << 18);  // stays in the cache between reading and hashing
  for (;;) {
    const ssize_t got = ::read(in.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(file, "read", errno);
    if (got == 0) return digester.finish();
    const auto piece = std::span<const std::byte>(buffer).first(static_cast<std::size_t>(got));
    digester.add(piece);
    take(piece);
    meter.advance(piece.size());
  }
}

}  // namespace

Digest digestOfFile(const fs::path& file, const WorkMeter& meter) {
  return readThrough(file, meter, [](std::span<const std::byte>) {});
}

Digest copyWithDigest(const fs::path& file, const fs::path& copy, const WorkMeter& meter) {
  const Descriptor out(::open(copy.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (out.get() < 0) fail(copy, "write", errno);
  return readThrough(file, meter, [&](std::span<const std::byte> rest) {
    while (!rest.empty()) {
      const ssize_t put = ::write(out.get(), rest.data(), rest.size());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) fail(copy, "write", errno);
      rest = rest.subspan(static_cast<std::size_t>(put));
    }
  });
}

}  // namespace fitup::detail
