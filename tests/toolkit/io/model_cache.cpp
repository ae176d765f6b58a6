#include <fitup/io/model_cache.h>

#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include <fitup/base/error.h>

#include "support/sample_model.h"
#include "support/temporary_folder.h"

namespace model_cache_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

std::string refusalOf(const std::filesystem::path& folder) {
  return messageOf<FileError>([&] { (void)ModelCache(folder); });
}

void age(const std::filesystem::path& file, int hours) {
  std::filesystem::last_write_time(file,
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours));
}

}  // namespace

TEST_CASE("a cache keeps models by key", "[io][cache]") {
  const TemporaryFolder folder;
  const ModelCache cache(folder / "a/b/cache");
  struct stat status {};
  REQUIRE(::stat((folder / "a/b/cache").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0700);
  Model model = sampleModel();
  model.source.referencedFiles.clear();
  const Digest key = digestOf("a"), other = digestOf("b");
  CHECK_FALSE(cache.find(key, folder.path()));
  cache.keep(key, model);
  const auto found = cache.find(key, folder.path());
  REQUIRE(found);
  CHECK(sameModel(*found, model));
  CHECK_FALSE(cache.find(other, folder.path()));
  REQUIRE(cache.entries().size() == 1);
  CHECK(cache.entries()[0].source == model.source.path);
  const std::uint64_t size = std::filesystem::file_size(cache.entries()[0].file);
  CHECK(cache.entries()[0].bytes == size);
  CHECK(cache.clear() == size);
  CHECK(cache.entries().empty());
  CHECK(cache.clear() == 0);
}

TEST_CASE("what was used least recently goes when a cache is full", "[io][cache]") {
  const TemporaryFolder folder;
  Model model = sampleModel();
  model.source.referencedFiles.clear();
  const ModelCache roomy(folder / "cache");
  const Digest a = digestOf("a"), b = digestOf("b"), c = digestOf("c");
  roomy.keep(a, model);
  const std::uint64_t size = roomy.entries()[0].bytes;
  roomy.keep(b, model);
  for (const ModelCache::Entry& entry : roomy.entries()) age(entry.file, 2);
  // A write that was aborted yesterday, and one in progress.
  const std::string temporary = "." + digestText(c) + ".fitup.new";
  writeText(roomy.folder() / temporary, "half a model");
  writeText(roomy.folder() / "notes.txt", "a user's");
  REQUIRE(roomy.find(a, folder.path()));  // b is the older one from here on
  const ModelCache small(folder / "cache", 2 * size + size / 2);
  small.keep(c, model);
  CHECK(small.find(a, folder.path()));
  CHECK_FALSE(small.find(b, folder.path()));
  CHECK(small.find(c, folder.path()));
  CHECK(std::filesystem::exists(roomy.folder() / temporary));
  age(roomy.folder() / temporary, 24);
  const ModelCache tiny(folder / "cache", size - 1);
  tiny.keep(c, model);
  CHECK(tiny.entries().empty());
  CHECK_FALSE(std::filesystem::exists(roomy.folder() / temporary));
  CHECK(readText(roomy.folder() / "notes.txt") == "a user's");
}

TEST_CASE("a folder that others can write to is no cache", "[io][cache]") {
  const TemporaryFolder folder;
  const auto cache = folder / "cache";
  const std::string before =
      std::filesystem::weakly_canonical(cache).string() + ": cannot keep a cache there: ";
  (void)ModelCache(cache);
  for (const ::mode_t mode : {0770, 0707, 0722}) {
    REQUIRE(::chmod(cache.c_str(), mode) == 0);
    CHECK(refusalOf(cache) == before + "other users can write to it");
  }
  REQUIRE(::chmod(cache.c_str(), 0755) == 0);
  CHECK(refusalOf(cache) == "nothing thrown");
  REQUIRE(::chmod(folder.path().c_str(), 0777) == 0);
  CHECK(refusalOf(cache).starts_with(before + "others may exchange it"));
  REQUIRE(::chmod(folder.path().c_str(), 01777) == 0);  // like /tmp: every user may change only his own files
  CHECK(refusalOf(cache) == "nothing thrown");
  REQUIRE(::chmod(folder.path().c_str(), 0700) == 0);
  std::filesystem::remove(cache);
  std::filesystem::create_directory(folder / "real");
  std::filesystem::create_directory_symlink(folder / "real", cache);
  CHECK(refusalOf(cache) == before + "it is not a folder");
  std::filesystem::remove(cache);
  writeText(cache, "a file");
  CHECK(refusalOf(cache) == before + "it is not a folder");
  CHECK(refusalOf(cache / "below").find("cannot keep a cache there") != std::string::npos);
  if (::geteuid() == 0) {
    std::filesystem::create_directory(folder / "theirs");
    REQUIRE(::chown((folder / "theirs").c_str(), 12345, 12345) == 0);
    CHECK(refusalOf(folder / "theirs").ends_with("it belongs to another user"));
    CHECK(refusalOf(folder / "theirs/ours").ends_with("theirs belongs to another user"));
    CHECK_FALSE(std::filesystem::exists(folder / "theirs/ours"));
  }
}

TEST_CASE("a folder that is put in a cache's place later is not believed", "[io][cache]") {
  const TemporaryFolder folder;
  Model model = sampleModel();
  model.source.referencedFiles.clear();
  const Digest key = digestOf("a");
  const ModelCache cache(folder / "cache");
  ModelCache(folder / "evil").keep(key, model);
  std::filesystem::rename(folder / "cache", folder / "old");
  std::filesystem::rename(folder / "evil", folder / "cache");
  CHECK_FALSE(cache.find(key, folder.path()));
  cache.keep(key, model);
  CHECK(std::distance(std::filesystem::directory_iterator(folder / "old"), {}) == 1);
}

TEST_CASE("the user's cache is where the base directory specification has it", "[io][cache]") {
  const std::string cacheHome = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  const std::string oldHome = home != nullptr ? home : "";
  ::setenv("HOME", "/home/somebody", 1);
  ::setenv("XDG_CACHE_HOME", "/somewhere", 1);
  CHECK(ModelCache::userFolder() == "/somewhere/fitup");
  ::setenv("XDG_CACHE_HOME", "relative/ones/do/not/count", 1);
  CHECK(ModelCache::userFolder() == "/home/somebody/.cache/fitup");
  ::unsetenv("XDG_CACHE_HOME");
  CHECK(ModelCache::userFolder() == "/home/somebody/.cache/fitup");
  ::unsetenv("HOME");
  CHECK_THROWS_AS(ModelCache::userFolder(), FileError);
  if (home != nullptr) ::setenv("HOME", oldHome.c_str(), 1);
  ::setenv("XDG_CACHE_HOME", cacheHome.c_str(), 1);

  CHECK(ModelCache::userLimit() == ModelCache::usualLimit);
  ::setenv("FITUP_CACHE_LIMIT", "100", 1);
  CHECK(ModelCache::userLimit() == 100U << 20);
  for (const char* nonsense : {"", "-1", "much", "99999999999999999999"}) {
    ::setenv("FITUP_CACHE_LIMIT", nonsense, 1);
    CHECK(ModelCache::userLimit() == ModelCache::usualLimit);
  }
  ::unsetenv("FITUP_CACHE_LIMIT");
}

}  // namespace model_cache_tests
