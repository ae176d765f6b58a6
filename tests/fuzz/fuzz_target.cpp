#include "fuzz_target.h"

#include <stdlib.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace fitup::test {

InputFile::InputFile(std::string_view name) {
  std::error_code ignored;
  const bool memory = std::filesystem::is_directory("/dev/shm", ignored);
  std::string pattern =
      ((memory ? "/dev/shm" : std::filesystem::temp_directory_path()) / "fitup-fuzz-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot create " + pattern);
  folder_ = pattern;
  file_ = folder_ / name;
}

InputFile::~InputFile() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

const std::filesystem::path& InputFile::with(std::span<const std::uint8_t> bytes) {
  return with(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

const std::filesystem::path& InputFile::with(std::string_view bytes) {
  std::ofstream(file_, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return file_;
}

void failRun(const std::string& problem) {
  std::fprintf(stderr, "failed: %s\n", problem.c_str());
  std::abort();
}

}  // namespace fitup::test
