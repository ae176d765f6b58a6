#include <fitup/io/file_digest.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <system_error>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/io/file_bytes.h>

namespace fitup {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void failToWrite(const fs::path& file) {
  throw FileError(file.string() + ": cannot write: " + std::generic_category().message(errno));
}

/// A new file that only this user can access; closed at the end of the scope. Throws FileError, also if the
/// file exists.
class NewFile {
 public:
  explicit NewFile(const fs::path& file)
      : file_(file),
        number_(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600)) {
    if (number_ < 0) failToWrite(file_);
  }
  ~NewFile() { ::close(number_); }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
      const ssize_t put = ::write(number_, bytes.data(), bytes.size());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) failToWrite(file_);
      bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
  }

 private:
  fs::path file_;
  int number_;
};

/// Passes the bytes to `take` in pieces.
template <typename Take>
Digest readThrough(const fs::path& file, const WorkMeter& meter, const Take& take) {
  const FileReader in(file);
  Digester digester;
  std::vector<std::byte> buffer(std::size_t{1} << 18);  // stays in the cache until it is hashed
  for (std::size_t begin = 0; begin < in.size();) {
    const auto piece = std::span(buffer).first(std::min(buffer.size(), in.size() - begin));
    in.read(begin, piece);
    digester.add(piece);
    take(piece);
    meter.advance(piece.size());
    begin += piece.size();
  }
  in.expectUnchanged();
  return digester.finish();
}

}  // namespace

Digest digestOfFile(const fs::path& file, const WorkMeter& meter) {
  return readThrough(file, meter, [](std::span<const std::byte>) {});
}

Digest copyWithDigest(const fs::path& file, const fs::path& copy, const WorkMeter& meter) {
  const NewFile out(copy);
  return readThrough(file, meter, [&](std::span<const std::byte> bytes) { out.write(bytes); });
}

void writeNewFile(const fs::path& file, std::span<const std::byte> bytes) { NewFile(file).write(bytes); }

}  // namespace fitup
