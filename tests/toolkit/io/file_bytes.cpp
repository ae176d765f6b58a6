#include <fitup/io/file_bytes.h>

#include <catch2/catch.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <span>

#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/io/file_digest.h>
#include <fitup/io/model_file.h>
#include <fitup/query/intersect.h>

#include "support/placements.h"
#include "support/sample_model.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"

namespace file_bytes_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

std::string someText(std::size_t size, std::uint64_t seed) {
  Random random(seed);
  std::string text(size, '\0');
  for (std::size_t at = 0; at < size; at += 8) {
    const std::uint64_t word = random.next();
    std::memcpy(text.data() + at, &word, std::min<std::size_t>(8, size - at));
  }
  return text;
}

/// Sets an old time, which differs from that of later changes.
void makeOld(const std::filesystem::path& file) {
  std::filesystem::last_write_time(file,
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(24));
}

/// In place, as `cp` does with an existing file.
void overwrite(const std::filesystem::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary | std::ios::in | std::ios::out) << text;
}

/// Makes a model of several megabytes, so that its end is on other pages than its beginning.
Model largeModel(double radius) {
  Model model;
  model.assembly.addPart(icosphere(radius, 6));
  model.assembly.addNode("ball", {}, {}, PartId(0));
  model.collisionModels = buildCollisionModels(model.assembly);
  return model;
}

const std::string changed = ": changed while it was read";

}  // namespace

TEST_CASE("a file's bytes are read, mapped and summed at any size", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "a";
  for (const std::size_t size : {0U, 1U, 63U, 64U, 4096U, 300'001U, (3U << 20) + 5U, (20U << 20) + 1U}) {
    const std::string text = someText(size, size);
    writeText(file, text);
    const auto read = FileBytes::read(file), mapped = FileBytes::map(file);
    CHECK(read->text() == text);
    CHECK(mapped->text() == text);
    CHECK(FileBytes::copyOf(std::as_bytes(std::span(text)))->text() == text);
    for (const auto& bytes : {read, mapped})
      CHECK(reinterpret_cast<std::uintptr_t>(bytes->bytes().data()) % 4096 == 0);
    CHECK(digestOfFile(file) == digestOf(text));
  }
}

TEST_CASE("what is not a regular file is not read", "[io]") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  const auto message = [](const std::filesystem::path& file) {
    std::vector<std::string> texts{messageOf<FileError>([&] { (void)FileBytes::read(file); }),
                                   messageOf<FileError>([&] { (void)FileBytes::map(file); }),
                                   messageOf<FileError>([&] { (void)digestOfFile(file); })};
    CHECK(std::count(texts.begin(), texts.end(), texts[0]) == 3);
    return texts[0];
  };
  CHECK(message(folder.path()) == folder.path().string() + ": cannot read: Is a directory");
  CHECK(message(folder / "none") == (folder / "none").string() + ": cannot read: No such file or directory");
  CHECK(message(folder / "pipe") == (folder / "pipe").string() + ": cannot read: No such device");
}

TEST_CASE("a file that changes while it is read is distinguished from one that is replaced", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "a";
  const std::string text = someText(100'000, 1);
  writeText(file, text);
  makeOld(file);
  const FileReader reader(file);
  reader.expectUnchanged();

  SECTION("cut off") {
    std::filesystem::resize_file(file, 50'000);
    std::vector<std::byte> bytes(100'000);
    CHECK(messageOf<FileError>([&] { reader.read(0, bytes); }) == file.string() + changed);
    CHECK(messageOf<FileError>([&] { reader.expectUnchanged(); }) == file.string() + changed);
  }
  SECTION("grown") {
    std::filesystem::resize_file(file, 100'001);
    CHECK(messageOf<FileError>([&] { reader.expectUnchanged(); }) == file.string() + changed);
  }
  SECTION("overwritten") {
    overwrite(file, someText(100'000, 2));
    CHECK(messageOf<FileError>([&] { reader.expectUnchanged(); }) == file.string() + changed);
  }
  SECTION("overwritten, and its time put back") {
    const auto time = std::filesystem::last_write_time(file);
    overwrite(file, someText(100'000, 2));
    std::filesystem::last_write_time(file, time);
    CHECK(messageOf<FileError>([&] { reader.expectUnchanged(); }) == file.string() + changed);
  }
  SECTION("replaced by renaming, or removed") {
    writeText(folder / "b", someText(10, 3));
    std::filesystem::rename(folder / "b", file);
    reader.expectUnchanged();
    std::filesystem::remove(file);
    reader.expectUnchanged();
    std::string read(100'000, '\0');
    reader.read(0, std::as_writable_bytes(std::span(read)));
    CHECK(read == text);
  }
}

TEST_CASE("a file may become anything after it was read", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "a.fitup";
  const Model model = largeModel(1);
  const ModelPtr other = modelOf(soup(40, 5, 1, 2));
  const IntersectionReport expected = intersect({model.collisionModels[0], {}}, {other, {}});
  REQUIRE(expected.intersects());
  for (const bool cutOff : {true, false})
    for (const Trust trust : {Trust::none, Trust::hierarchies}) {
      writeModelFile(file, model);
      const Model read = readModelFile(file, {}, trust);
      if (cutOff)
        std::filesystem::resize_file(file, 0);
      else
        overwrite(file, someText(std::filesystem::file_size(file), 4));
      CHECK(sameModel(read, model));
      CHECK(intersect({read.collisionModels[0], {}}, {other, {}}).trianglePairs == expected.trianglePairs);
    }
}

TEST_CASE("a model file that changes while it is read is an error", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "a.fitup";
  const Model model = largeModel(1);
  writeModelFile(file, model);
  const std::string bytes = readText(file), otherBytes = [&] {
    const TemporaryFolder elsewhere;
    writeModelFile(elsewhere / "b.fitup", largeModel(2));
    return readText(elsewhere / "b.fitup");
  }();
  REQUIRE(otherBytes.size() == bytes.size());
  /// Returns the result of reading if the file changes at the k-th report of progress.
  const auto readAt = [&](std::size_t k, bool cutOff, std::size_t* reports) {
    writeText(file, bytes);
    makeOld(file);
    std::mutex mutex;
    std::size_t count = 0;
    const Progress changing({}, [&](std::string_view, double) {
      const std::lock_guard lock(mutex);
      if (count++ != k) return;
      if (cutOff)
        std::filesystem::resize_file(file, bytes.size() / 2);
      else
        overwrite(file, otherBytes);
    });
    std::string text;
    try {
      text = sameModel(readModelFile(file, changing), model) ? "the same" : "another model";
    } catch (const FileError& error) {
      text = error.what();
    }
    if (reports != nullptr) *reports = count;
    return text;
  };
  std::size_t reports = 0;
  CHECK(readAt(~std::size_t{0}, true, &reports) == "the same");
  REQUIRE(reports > 20);
  // The last reports come after the last byte was read.
  for (const bool cutOff : {true, false})
    for (std::size_t k = 0; k + 3 < reports; k += 1 + reports / 30)
      CHECK(readAt(k, cutOff, nullptr) == file.string() + changed);
}

TEST_CASE("a file that is larger than the machine's memory is refused before it is read", "[io]") {
  const TemporaryFolder folder;
  constexpr std::uint64_t size = std::uint64_t{8} << 40;
  const auto problem = [](const std::filesystem::path& file, const auto& read) {
    const std::string message = messageOf<FileError>(read),
                      name = file.string() + ": is larger than the memory";
    return message.starts_with(name) ? "too large" : message;
  };
  const auto zeros = folder / "zeros.fitup", forged = folder / "forged.fitup";
  writeText(zeros, "");
  std::filesystem::resize_file(zeros, size);
  CHECK(problem(zeros, [&] { (void)FileBytes::read(zeros); }) == "too large");
  CHECK(problem(zeros, [&] { (void)readModelFile(zeros); }) == "too large");
  CHECK_FALSE(readModelFileSource(zeros));
  // A file that declares this large size.
  writeModelFile(forged, sampleModel());
  std::string text = readText(forged);
  std::memcpy(text.data() + 16, &size, sizeof size);
  const std::uint64_t checksum = blockChecksum(std::as_bytes(std::span(text)).first(40));
  std::memcpy(text.data() + 40, &checksum, sizeof checksum);
  writeText(forged, text);
  CHECK_THAT(messageOf<InputError>([&] { (void)readModelFile(forged); }),
             Catch::Contains("bytes instead of"));
  std::filesystem::resize_file(forged, size);
  CHECK(problem(forged, [&] { (void)readModelFile(forged); }) == "too large");
}

}  // namespace file_bytes_tests
