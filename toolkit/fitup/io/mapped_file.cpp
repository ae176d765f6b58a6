#include <fitup/io/mapped_file.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>

#include <fitup/base/error.h>

namespace fitup {

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& file) {
  const auto fail = [&](int error) {
    throw FileError(file.string() + ": cannot read: " + std::generic_category().message(error));
  };
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) fail(errno);
  struct stat status {};
  int error = ::fstat(descriptor, &status) != 0 ? errno : 0;
  if (error == 0 && S_ISDIR(status.st_mode)) error = EISDIR;
  if (error == 0 && !S_ISREG(status.st_mode)) error = ENODEV;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* data = nullptr;
  if (error == 0 && size > 0) {
    data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (data == MAP_FAILED) error = errno;
  }
  ::close(descriptor);
  if (error != 0) fail(error);
  return std::shared_ptr<const MappedFile>(
      new MappedFile(std::span(static_cast<const std::byte*>(data), data ? size : 0)));
}

std::shared_ptr<const MappedFile> MappedFile::copyOf(std::span<const std::byte> bytes) {
  if (bytes.empty()) return std::shared_ptr<const MappedFile>(new MappedFile({}));
  void* data = ::mmap(nullptr, bytes.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) throw std::bad_alloc();
  std::memcpy(data, bytes.data(), bytes.size());
  return std::shared_ptr<const MappedFile>(
      new MappedFile(std::span(static_cast<const std::byte*>(data), bytes.size())));
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace fitup
