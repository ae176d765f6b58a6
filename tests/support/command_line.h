#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "run_program.h"
#include "temporary_folder.h"

namespace fitup::test {

/// A folder in which the `fitup` of this build runs; file names are relative to it.
class CommandLine {
 public:
  ProgramResult operator()(const std::vector<std::string>& arguments, RunOptions options = {}) const;
  [[nodiscard]] const TemporaryFolder& folder() const noexcept { return folder_; }
  [[nodiscard]] std::filesystem::path file(std::string_view name) const { return folder_ / name; }
  [[nodiscard]] std::string text(std::string_view name) const { return readText(folder_ / name); }

  /// Writes "row.fitup": unit cubes `first` to `last` in a row along x, 2 apart, as "row/cube-0" ...; nothing
  /// intersects.
  void writeRow(int count, std::string_view name = "row.fitup") const;
  /// Writes "slide.csv", a track on that model: cube-0 moves by (x, y) in one step.
  void writeSlide(const std::string& x, const std::string& y) const;
  /// Writes the process plant and its track: "plant.fitup", "plant.track.json".
  void writePlant() const;

 private:
  TemporaryFolder folder_, cache_;
};

inline bool contains(std::string_view text, std::string_view piece) {
  return text.find(piece) != std::string_view::npos;
}

/// Returns what is wrong with a failed run; empty if it has exit code 2, no output, and one line on the error
/// stream that begins with "fitup: " and holds all `pieces`.
std::string problemOfFailure(const ProgramResult& result, const std::vector<std::string>& pieces);

}  // namespace fitup::test
