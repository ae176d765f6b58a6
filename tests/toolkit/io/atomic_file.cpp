#include <fitup/io/atomic_file.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include <chrono>
#include <csignal>
#include <ostream>
#include <thread>
#include <vector>

#include <fitup/base/error.h>

#include "support/temporary_folder.h"

namespace atomic_file_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("a file is written whole", "[io]") {
  const TemporaryFolder folder;
  const std::string text(1'000'000, 'x');
  writeFileAtomically(folder / "a", [&](std::ostream& out) {
    out << "head\n" << text << 1234567 << ' ' << 0.5;
  });
  CHECK(readText(folder / "a") == "head\n" + text + "1234567 0.5");
  CHECK(folder.entryCount() == 1);
}

TEST_CASE("a name may be as long as file systems take", "[io]") {
  const TemporaryFolder folder;
  const std::string name(255, 'n');
  for (const char* text : {"first", "second", "third"}) {
    writeFileAtomically(folder / name, [&](std::ostream& out) { out << text; });
    CHECK(readText(folder / name) == text);
    CHECK(folder.entryCount() == 1);
  }
}

TEST_CASE("a write that fails leaves the old file and no other", "[io]") {
  const TemporaryFolder folder;
  writeText(folder / "a", "old");
  CHECK_THROWS_AS(writeFileAtomically(folder / "a",
                                      [](std::ostream& out) {
                                        out << "new";
                                        throw InputError("no");
                                      }),
                  InputError);
  CHECK(readText(folder / "a") == "old");
  CHECK(folder.entryCount() == 1);

  const auto write = [](std::ostream& out) { out << "new"; };
  CHECK(messageOf<FileError>([&] { writeFileAtomically(folder / "none/a", write); }) ==
        (folder / "none/a").string() + ": cannot write: No such file or directory");
  CHECK_THROWS_AS(writeFileAtomically(folder.path(), write), FileError);
}

TEST_CASE("a full disk is an error", "[io]") {
  if (::access("/dev/full", W_OK) != 0) {
    WARN("skipped: no /dev/full");
    return;
  }
  CHECK_THROWS_AS(writeFileAtomically("/dev/full", [](std::ostream& out) { out << "text"; }), FileError);
}

TEST_CASE("a process killed while it writes leaves the old file whole", "[io]") {
  const TemporaryFolder folder;
  writeText(folder / "a", "old");
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    writeFileAtomically(folder / "a", [](std::ostream& out) {
      out << std::string(1 << 20, 'x') << std::flush;
      std::raise(SIGKILL);
    });
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
  CHECK(readText(folder / "a") == "old");
}

TEST_CASE("what killed writers left of a file is removed when it is old", "[io]") {
  const TemporaryFolder folder;
  const auto hour = std::chrono::hours(1);
  const auto now = std::filesystem::file_time_type::clock::now();
  for (const char* name : {".a.17-0.tmp", ".a.17-1.tmp", ".b.17-0.tmp", "a.17-0.tmp"}) {
    writeText(folder / name, "part of it");
    std::filesystem::last_write_time(folder / name, now - 2 * hour);
  }
  std::filesystem::last_write_time(folder / ".a.17-1.tmp", now);  // its writer may be at it
  writeFileAtomically(folder / "a", [](std::ostream& out) { out << "new"; });
  CHECK_FALSE(std::filesystem::exists(folder / ".a.17-0.tmp"));
  CHECK(folder.entryCount() == 4);
}

TEST_CASE("a link is followed and permissions stay", "[io]") {
  const TemporaryFolder folder;
  writeText(folder / "a", "old");
  ::chmod((folder / "a").c_str(), 0640);
  std::filesystem::create_symlink("a", folder / "link");
  writeFileAtomically(folder / "link", [](std::ostream& out) { out << "new"; });
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(readText(folder / "a") == "new");
  struct stat status {};
  ::stat((folder / "a").c_str(), &status);
  CHECK((status.st_mode & 0777) == 0640);

  // Over several links, to what is not there yet.
  std::filesystem::create_directory(folder / "b");
  std::filesystem::create_symlink("b/next", folder / "far");
  std::filesystem::create_symlink("../c", folder / "b" / "next");
  writeFileAtomically(folder / "far", [](std::ostream& out) { out << "made"; });
  CHECK(std::filesystem::is_symlink(folder / "far"));
  CHECK(std::filesystem::is_symlink(folder / "b" / "next"));
  CHECK(readText(folder / "c") == "made");
  std::filesystem::create_symlink("round", folder / "round");
  CHECK_THROWS_AS(writeFileAtomically(folder / "round", [](std::ostream&) {}), FileError);
  CHECK(std::filesystem::is_symlink(folder / "round"));
}

TEST_CASE("writers of one file at a time leave one of their files, whole, and no other", "[io]") {
  const TemporaryFolder folder;
  const std::string a(100'000, 'a'), b(50'000, 'b');
  {
    std::vector<std::jthread> writers;
    for (const std::string* text : {&a, &b, &a, &b})
      writers.emplace_back([&folder, text] {
        for (int i = 0; i < 25; ++i)
          writeFileAtomically(folder / "a", [&](std::ostream& out) { out << *text; });
      });
  }
  const std::string left = readText(folder / "a");
  CHECK((left == a || left == b));
  CHECK(folder.entryCount() == 1);

  writeText(folder / ".a.new", "what a killed writer left");
  writeFileAtomically(folder / "a", [&](std::ostream& out) { out << a; });
  CHECK(readText(folder / "a") == a);
  CHECK(folder.entryCount() == 1);
}

}  // namespace atomic_file_tests
