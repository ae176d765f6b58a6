#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <fitup/base/error.h>

/// The function that every target defines: one run on one input. It returns 0, or the program aborts.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fitup::test {

/// The file that a target's reader opens, with the input's bytes. There is one for the whole run of the
/// program, which removes it at the end. `name` has the extension by which readers identify the format.
class InputFile {
 public:
  explicit InputFile(std::string_view name);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Writes these bytes to the file.
  const std::filesystem::path& with(std::span<const std::uint8_t> bytes);
  const std::filesystem::path& with(std::string_view bytes);
  /// Returns another file beside it, for output.
  [[nodiscard]] std::filesystem::path beside(std::string_view name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_, file_;
};

/// Prints the problem and aborts, so that the input is kept.
[[noreturn]] void failRun(const std::string& problem);

/// Runs `read`, which may throw the toolkit's errors for bad input; the message has to begin with `source`.
template <typename Read>
void expectAnswerOrError(const std::string& source, Read read) {
  try {
    read();
  } catch (const Error& error) {
    if (!std::string_view(error.what()).starts_with(source))
      failRun("the message does not name the file: " + std::string(error.what()));
  }
}

}  // namespace fitup::test
