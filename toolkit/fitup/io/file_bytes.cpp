#include <fitup/io/file_bytes.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <new>
#include <system_error>
#include <tuple>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>

namespace fitup {
namespace {

/// Bytes that one thread reads at a time: enough to justify one more thread.
constexpr std::size_t pieceSize = std::size_t{8} << 20;
/// Bytes that are processed before the next read, or cleared before they are filled.
constexpr std::size_t inCache = std::size_t{1} << 18;

auto timesOf(const struct stat& status) { return std::tuple(status.st_mtim.tv_sec, status.st_mtim.tv_nsec); }
auto changeOf(const struct stat& status) { return std::tuple(status.st_ctim.tv_sec, status.st_ctim.tv_nsec); }

/// Bytes of memory of the machine; the largest number if unknown.
std::uint64_t memoryOfMachine() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGE_SIZE);
  return pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)
                               : UINT64_MAX;
}

std::string reasonOf(int error) { return "cannot read: " + std::generic_category().message(error); }

}  // namespace

FileReader::FileReader(const std::filesystem::path& file) : name_(file.string()) {
  descriptor_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) fail(reasonOf(errno));
  int error = ::fstat(descriptor_, &opened_) != 0 ? errno : 0;
  if (error == 0 && S_ISDIR(opened_.st_mode)) error = EISDIR;
  if (error == 0 && !S_ISREG(opened_.st_mode)) error = ENODEV;
  if (error == 0) return;
  ::close(descriptor_);
  fail(reasonOf(error));
}

FileReader::~FileReader() { ::close(descriptor_); }

void FileReader::fail(const std::string& reason) const { throw FileError(name_ + ": " + reason); }

void FileReader::read(std::size_t begin, std::span<std::byte> to) const {
  while (!to.empty()) {
    const ssize_t got = ::pread(descriptor_, to.data(), to.size(), static_cast<off_t>(begin));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(reasonOf(errno));
    if (got == 0) fail("changed while it was read");
    begin += static_cast<std::size_t>(got);
    to = to.subspan(static_cast<std::size_t>(got));
  }
}

void FileReader::expectUnchanged() const {
  struct stat now {};
  if (::fstat(descriptor_, &now) != 0) fail(reasonOf(errno));
  // A program that replaces a file by a rename removes the name of the open one, which changes only its
  // status.
  const bool renamed = now.st_nlink != opened_.st_nlink;
  if (now.st_size != opened_.st_size || timesOf(now) != timesOf(opened_) ||
      (!renamed && changeOf(now) != changeOf(opened_)))
    fail("changed while it was read");
}

// Does not use large pages, unlike hierarchies that are built in this process: clearing them can take several
// times as long as reading the file, if the host of a virtual machine must first find the memory.
void FileBytes::allocate(std::size_t size) {
  if (size == 0) return;
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  bytes_ = {static_cast<std::byte*>(memory), size};
}

FileBytes::~FileBytes() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

std::shared_ptr<FileBytes> FileBytes::open(const std::filesystem::path& file, std::uint64_t largest) {
  std::shared_ptr<FileBytes> bytes(new FileBytes);
  const FileReader& reader = bytes->file_.emplace(file);
  const std::uint64_t memory = memoryOfMachine();
  if (reader.size() > largest)
    reader.fail("is larger than " + std::to_string(largest >> 20) + " MiB and is not read");
  if (reader.size() > memory)
    reader.fail("is larger than the memory of this machine, " + std::to_string(memory >> 20) +
                " MiB, and is not read");
  bytes->allocate(reader.size());
  return bytes;
}

std::shared_ptr<const FileBytes> FileBytes::map(const std::filesystem::path& file) {
  const FileReader reader(file);
  const std::shared_ptr<FileBytes> bytes(new FileBytes);
  if (reader.size() == 0) return bytes;
  void* const data = ::mmap(nullptr, reader.size(), PROT_READ, MAP_PRIVATE, reader.descriptor_, 0);
  if (data == MAP_FAILED) reader.fail(reasonOf(errno));
  bytes->bytes_ = {static_cast<std::byte*>(data), reader.size()};
  return bytes;
}

std::shared_ptr<const FileBytes> FileBytes::read(const std::filesystem::path& file, std::uint64_t largest) {
  const auto bytes = open(file, largest);
  const std::size_t size = bytes->bytes_.size();
  parallelFor((size + pieceSize - 1) / pieceSize, 0, [&](std::size_t i, unsigned) {
    bytes->load(i * pieceSize, std::min(pieceSize, size - i * pieceSize));
  });
  bytes->finish();
  return bytes;
}

void FileBytes::load(std::size_t begin, std::size_t size) {
  for (auto to = bytes_.subspan(begin, size); !to.empty();) {
    const auto piece = to.first(std::min(inCache, to.size()));
#ifdef MADV_POPULATE_WRITE
    // Populating all pages of a piece at once takes a fifth less time than one by one. Older kernels refuse.
    constexpr std::size_t worthAsking = std::size_t{1} << 16, page = 4096;
    if (piece.size() >= worthAsking)
      (void)::madvise(bytes_.data() + begin / page * page, begin % page + piece.size(), MADV_POPULATE_WRITE);
#endif
    file_->read(begin, piece);
    begin += piece.size();
    to = to.subspan(piece.size());
  }
}

void FileBytes::finish() {
  file_->expectUnchanged();
  file_.reset();
}

std::shared_ptr<const FileBytes> FileBytes::copyOf(std::span<const std::byte> from) {
  const std::shared_ptr<FileBytes> bytes(new FileBytes);
  bytes->allocate(from.size());
  std::copy(from.begin(), from.end(), bytes->bytes_.begin());
  return bytes;
}

}  // namespace fitup
