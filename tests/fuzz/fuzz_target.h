#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <fitup/base/error.h>

/// What every target defines: one run on one input. It returns 0, or the program dies.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fitup::test {

/// The file that a target's reader is given, with the input's bytes; one for the whole run of the program,
/// removed at its end. `name` with the extension that readers go by.
class InputFile {
 public:
  explicit InputFile(std::string_view name);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Gives the file these bytes.
  const std::filesystem::path& with(std::span<const std::uint8_t> bytes);
  const std::filesystem::path& with(std::string_view bytes);
  /// Another file beside it, for what is written.
  [[nodiscard]] std::filesystem::path beside(std::string_view name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_, file_;
};

/// Says what is wrong and dies, so that the input is kept.
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
