#include "companions.h"

#include <sys/stat.h>

#include <tuple>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/io/mapped_file.h>

namespace fitup::importers {
namespace {

bool isLater(const std::timespec& a, const std::timespec& b) {
  return std::tie(a.tv_sec, a.tv_nsec) > std::tie(b.tv_sec, b.tv_nsec);
}

/// The hash of its bytes; 0 where there are none to be had.
std::uint64_t hashOf(const std::filesystem::path& file) {
  try {
    return blockChecksum(MappedFile::open(file)->bytes());
  } catch (const FileError&) {
    return 0;
  }
}

}  // namespace

Companions::Companions(std::filesystem::path folder) : folder_(std::move(folder)) {
  ::clock_gettime(CLOCK_REALTIME_COARSE, &begun_);
}

CompanionFile Companions::of(const std::filesystem::path& file) const {
  CompanionFile companion{std::filesystem::absolute(file).lexically_proximate(folder_).string(),
                          hashOf(file)};
  // The time of its last change, which no copy takes over from what it is of.
  struct stat status {};
  if (::stat(file.c_str(), &status) == 0 && isLater(status.st_ctim, begun_)) companion.hash = 0;
  return companion;
}

}  // namespace fitup::importers
