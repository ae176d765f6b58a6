#include <catch2/catch.hpp>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

#include "importer_main.h"

namespace progress_lines_tests {

using namespace fitup::importers;

namespace {

std::size_t linesOf(std::FILE* file) {
  std::size_t lines = 0;
  std::rewind(file);
  for (int c = 0; (c = std::fgetc(file)) != EOF;) lines += c == '\n' ? 1 : 0;
  return lines;
}

}  // namespace

TEST_CASE("an importer speaks for as long as work of its own takes, and no longer", "[importers]") {
  // Written by one stream and read by another, because each has its own position.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> written(std::tmpfile(), std::fclose);
  REQUIRE(written);
  const std::string again = "/proc/self/fd/" + std::to_string(fileno(written.get()));
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> read(std::fopen(again.c_str(), "r"), std::fclose);
  REQUIRE(read);
  ProgressLines progress(written.get());
  const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
  {
    const StillWorking sign(progress, "welding", std::chrono::milliseconds(1));
    for (int i = 0; i < 2000 && linesOf(read.get()) < 4; ++i) pause();
  }
  const std::size_t lines = linesOf(read.get());
  CHECK(lines >= 4);
  for (int i = 0; i < 4; ++i) pause();
  CHECK(linesOf(read.get()) == lines);
  std::rewind(read.get());
  char line[64] = "";
  REQUIRE(std::fgets(line, sizeof line, read.get()) != nullptr);
  CHECK(std::string(line) == "progress -1 welding\n");

  // The default of hours would make the test wait.
  const auto begun = std::chrono::steady_clock::now();
  { const StillWorking sign(progress, "writing", std::chrono::hours(1)); }
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::minutes(1));
}

}  // namespace progress_lines_tests
