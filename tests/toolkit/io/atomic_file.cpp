#include <fitup/io/atomic_file.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <ostream>
#include <stop_token>
#include <string>
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
  for (const char* name : {".a.17-0.tmp", ".a.17-1.tmp", ".b.17-0.tmp", "a.17-0.tmp", ".a.notes.tmp"}) {
    writeText(folder / name, "part of it");
    std::filesystem::last_write_time(folder / name, now - 2 * hour);
  }
  std::filesystem::last_write_time(folder / ".a.17-1.tmp", now);  // its writer may still be working
  writeFileAtomically(folder / "a", [](std::ostream& out) { out << "new"; });
  CHECK_FALSE(std::filesystem::exists(folder / ".a.17-0.tmp"));
  CHECK(folder.entryCount() == 5);  // a user's notes too
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
  // New contents do not get the right to run as another user.
  ::chmod((folder / "a").c_str(), 06750);
  writeFileAtomically(folder / "a", [](std::ostream& out) { out << "new"; });
  ::stat((folder / "a").c_str(), &status);
  CHECK((status.st_mode & 07777) == 0750);

  // Through several links, to a file that does not exist yet.
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

TEST_CASE("links that lead where no output belongs are not followed", "[io]") {
  const TemporaryFolder folder;
  const auto write = [](std::ostream& out) { out << "new"; };
  const auto problem = [&](const std::filesystem::path& file) {
    return messageOf<FileError>([&] { writeFileAtomically(file, write); });
  };
  // As an unpacked archive may contain it.
  writeText(folder / ".profile", "old");
  std::filesystem::create_symlink(".profile", folder / "out.json");
  std::filesystem::create_symlink("authorized_keys", folder / "new.json");
  CHECK_THAT(problem(folder / "out.json"), Catch::Contains("link to a file of another kind"));
  CHECK_THAT(problem(folder / "new.json"), Catch::Contains("authorized_keys"));
  CHECK(readText(folder / ".profile") == "old");
  CHECK_FALSE(std::filesystem::exists(folder / "authorized_keys"));
  // Capitals do not make another kind.
  std::filesystem::create_symlink("there.JSON", folder / "capitals.json");
  writeFileAtomically(folder / "capitals.json", write);
  CHECK(readText(folder / "there.JSON") == "new");

  // A file that this process has open, such as /dev/stdout of `> log`.
  writeText(folder / "log", "old");
  const int log = ::open((folder / "log").c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(log >= 0);
  std::filesystem::create_symlink("/proc/self/fd/" + std::to_string(log), folder / "stdout");
  CHECK_THAT(problem(folder / "stdout"), Catch::Contains("that a process has open"));
  CHECK(readText(folder / "log") == "old");
  ::close(log);

  // Where all users may make links, those of others are refused; as in /tmp, by a kernel that protects links.
  if (::geteuid() != 0) {
    WARN("skipped in part: only root makes links of others");
    return;
  }
  std::filesystem::create_directory(folder / "tmp");
  ::chmod((folder / "tmp").c_str(), 01777);
  for (const char* name : {"own", "other"}) std::filesystem::create_symlink("../a", folder / "tmp" / name);
  REQUIRE(::lchown((folder / "tmp" / "other").c_str(), 65534, 65534) == 0);
  writeFileAtomically(folder / "tmp" / "own", write);
  CHECK(readText(folder / "a") == "new");
  writeText(folder / "a", "old");
  CHECK_THAT(problem(folder / "tmp" / "other"), Catch::Contains("is a link that belongs to another user"));
  CHECK(readText(folder / "a") == "old");
}

TEST_CASE("a pipe is waited for, but not for ever", "[io]") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  const auto write = [](std::ostream& out) { out << "new"; };
  std::string read;
  {
    const std::jthread reader([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      read = readText(folder / "pipe");
    });
    writeFileAtomically(folder / "pipe", write);
  }
  CHECK(read == "new");
  CHECK(messageOf<FileError>([&] { writeFileAtomically(folder / "pipe", write); }) ==
        (folder / "pipe").string() + ": cannot write: no process reads the pipe");
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(writeFileAtomically(folder / "pipe", write, Progress(stop.get_token())), CancelledError);
}

TEST_CASE("a disk is no file", "[io]") {
  const TemporaryFolder folder;
  if (::mknod((folder / "disk").c_str(), S_IFBLK | 0600, makedev(259, 4000)) != 0) {
    WARN("skipped: no device can be made here");
    return;
  }
  CHECK(messageOf<FileError>([&] {
          writeFileAtomically(folder / "disk", [](std::ostream& out) { out << "new"; });
        }) == (folder / "disk").string() + ": cannot write: Operation not supported");
}

TEST_CASE("a file is replaced only as whoever replaces it knows it", "[io]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "a";
  const auto write = [](std::ostream& out) { out << "new"; };
  const auto problem = [&](const FileVersion& expected) {
    return messageOf<FileChangedError>([&] { replaceFileAtomically(file, expected, write); });
  };
  const FileVersion none, old = versionOf("old");
  CHECK(versionAt(file) == none);
  CHECK_THAT(problem(old), Catch::Contains("no longer exists"));
  CHECK(folder.entryCount() == 0);
  replaceFileAtomically(file, none, write);
  CHECK(readText(file) == "new");
  writeText(file, "other");
  CHECK_THAT(problem(none), Catch::Contains("already exists"));
  CHECK_THAT(problem(old), Catch::Contains("has been changed by another program"));
  CHECK(readText(file) == "other");
  CHECK(folder.entryCount() == 1);
  try {
    replaceFileAtomically(file, old, write);
  } catch (const FileChangedError& error) {
    CHECK(error.found() == versionOf("other"));
  }
  // Rewritten with the same contents, it is the expected version.
  writeText(file, "old");
  std::filesystem::create_symlink("a", folder / "link");
  replaceFileAtomically(folder / "link", old, write);
  CHECK(readText(file) == "new");
  CHECK(std::filesystem::is_symlink(folder / "link"));
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  CHECK_THROWS_AS(replaceFileAtomically(file, none, write), FileError);
}

TEST_CASE("of writers that know the same file all but one are warned", "[io]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "a";
  writeText(file, "0");
  constexpr int writers = 4, rounds = 50;
  std::atomic<int> reported{0};
  {
    std::vector<std::jthread> threads;
    for (int w = 0; w < writers; ++w)
      threads.emplace_back([&] {
        for (int done = 0; done < rounds;) {
          const std::string text = readText(file);
          try {
            replaceFileAtomically(file, versionOf(text),
                                  [&](std::ostream& out) { out << std::stoi(text) + 1; });
            ++done;
          } catch (const FileChangedError&) {
            ++reported;
          }
        }
      });
  }
  // No write was lost under another.
  CHECK(readText(file) == std::to_string(writers * rounds));
  CHECK(folder.entryCount() == 1);

  // So too for those that create the file.
  for (int round = 0; round < rounds; ++round) {
    std::filesystem::remove(file);
    std::atomic<int> made{0};
    {
      std::vector<std::jthread> threads;
      for (int w = 0; w < writers; ++w)
        threads.emplace_back([&, w] {
          try {
            replaceFileAtomically(file, {}, [&](std::ostream& out) { out << w; });
            ++made;
          } catch (const FileChangedError&) {
          }
        });
    }
    CHECK(made == 1);
  }
}

TEST_CASE("who holds the lock of a folder is not overtaken", "[io][.]") {
  const TemporaryFolder folder;
  writeText(folder / "a", "old");
  const int held = ::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  REQUIRE(::flock(held, LOCK_EX) == 0);
  const auto write = [](std::ostream& out) { out << "new"; };
  CHECK_THAT(messageOf<FileError>([&] { replaceFileAtomically(folder / "a", versionOf("old"), write); }),
             Catch::Contains("cannot replace"));
  CHECK(readText(folder / "a") == "old");
  writeFileAtomically(folder / "a", write);  // but a writer without an expectation does not wait forever
  CHECK(readText(folder / "a") == "new");
  ::close(held);
}

}  // namespace atomic_file_tests
