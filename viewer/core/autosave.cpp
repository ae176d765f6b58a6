#include <viewer/core/autosave.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/io/atomic_file.h>

namespace fitup::viewer {
namespace {

constexpr const char* extension = ".fitup-project";

std::filesystem::path lockOf(std::filesystem::path file) { return file.replace_extension(".lock"); }
/// Returns the file that stores which project was open: its path, then a 0, which no path contains, and the
/// hash of its contents.
std::filesystem::path originOf(std::filesystem::path file) { return file.replace_extension(".origin"); }

}  // namespace

/// A lock held while the object lives.
class Autosave::Lock {
 public:
  /// Null if another process holds it.
  static std::unique_ptr<Lock> tryToTake(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor < 0) throw FileError(file.string() + ": " + std::strerror(errno));
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      ::close(descriptor);
      return nullptr;
    }
    return std::unique_ptr<Lock>(new Lock(descriptor));
  }
  ~Lock() { ::close(descriptor_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  explicit Lock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

Autosave::Autosave(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  // Its files are offered after a crash, so no other user may write there. Fails for another user's folder.
  if (!error) std::filesystem::permissions(folder_, std::filesystem::perms::owner_all, error);
  if (error) throw FileError(folder_.string() + ": " + error.message());
  for (int i = 0; lock_ == nullptr; ++i) {
    file_ = folder_ / (std::to_string(::getpid()) + "-" + std::to_string(i) + extension);
    // An existing file of that name is a leftover of another process with the same number.
    if (!std::filesystem::exists(file_)) lock_ = Lock::tryToTake(lockOf(file_));
  }
}

Autosave::~Autosave() {
  if (isKept_) return;
  clear();
  std::error_code ignored;
  std::filesystem::remove(lockOf(file_), ignored);
}

void Autosave::save(const Project& project, const std::filesystem::path& original,
                    const FileVersion& version) {
  writeFileAtomically(originOf(file_), [&](std::ostream& out) {
    out << original.string() << '\0' << (version.hash ? hashText(*version.hash) : "");
  });
  writeProject(file_, project);
}

void Autosave::clear() noexcept {
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
  std::filesystem::remove(originOf(file_), ignored);
}

std::vector<Leftover> Autosave::leftovers() const {
  std::vector<Leftover> result;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
    const std::filesystem::path& file = entry.path();
    if (file.extension() != extension || file == file_) continue;
    std::shared_ptr<const Lock> lock = Lock::tryToTake(lockOf(file));
    if (!lock) continue;
    if (!std::filesystem::exists(file)) {  // another program has just dealt with it
      std::filesystem::remove(lockOf(file), error);
      continue;
    }
    Leftover leftover{file, {}, {}, entry.last_write_time(error), std::move(lock)};
    if (std::ifstream origin(originOf(file)); origin) {
      std::string text, hash;
      std::getline(origin, text, '\0');
      std::getline(origin, hash);
      leftover.original = text;
      leftover.version.hash = hashFromText(hash);
    }
    result.push_back(std::move(leftover));
  }
  std::sort(result.begin(), result.end(),
            [](const Leftover& a, const Leftover& b) { return a.time > b.time; });
  return result;
}

void Autosave::remove(const Leftover& leftover) noexcept {
  std::error_code ignored;
  for (const std::filesystem::path& file : {leftover.file, lockOf(leftover.file), originOf(leftover.file)})
    std::filesystem::remove(file, ignored);
}

}  // namespace fitup::viewer
