#include <viewer/core/autosave.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include <fitup/base/error.h>

#include "support/temporary_folder.h"

namespace autosave_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

Project projectOf(const std::filesystem::path& folder, double x) {
  Project project;
  project.models = {folder / "model.step"};
  project.moved = {{"part", {{}, {x, 0, 0}}}};
  return project;
}

}  // namespace

TEST_CASE("a program that ends as it should leaves nothing", "[viewer][autosave]") {
  const TemporaryFolder folder;
  {
    Autosave autosave(folder / "autosave");
    autosave.save(projectOf(folder.path(), 1), "", {});
    CHECK(std::filesystem::exists(autosave.file()));
    CHECK(autosave.leftovers().empty());
    const Autosave other(folder / "autosave");
    CHECK(other.file() != autosave.file());
    CHECK(other.leftovers().empty());  // a running program has locked it
    autosave.clear();
    CHECK_FALSE(std::filesystem::exists(autosave.file()));
  }
  CHECK(std::filesystem::is_empty(folder / "autosave"));
}

TEST_CASE("what is kept for after a crash is the user's alone", "[viewer][autosave]") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "autosave");
  std::filesystem::permissions(folder / "autosave", std::filesystem::perms::all);
  const Autosave autosave(folder / "autosave");
  CHECK(std::filesystem::status(folder / "autosave").permissions() == std::filesystem::perms::owner_all);
}

TEST_CASE("what a killed program was working on can be restored", "[viewer][autosave]") {
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    Autosave autosave(folder / "autosave");
    for (int i = 0;; ++i) {
      autosave.save(projectOf(folder.path(), i), folder / "work.fitup-project", versionOf("as it was"));
      if (i == 3) ::kill(::getpid(), SIGKILL);
    }
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  const Autosave autosave(folder / "autosave");
  const std::vector<Leftover> leftovers = autosave.leftovers();
  REQUIRE(leftovers.size() == 1);
  CHECK(leftovers[0].original == folder / "work.fitup-project");
  CHECK(leftovers[0].version == versionOf("as it was"));
  const Project restored = readProject(leftovers[0].file);
  REQUIRE(restored.moved.size() == 1);
  CHECK(restored.moved[0].motion.translation.x == 3);
  CHECK(restored.models == std::vector{folder / "model.step"});
  Autosave::remove(leftovers[0]);
  CHECK(autosave.leftovers().empty());
}

TEST_CASE("one program alone asks about what another one left", "[viewer][autosave]") {
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    Autosave autosave(folder / "autosave");
    autosave.save(projectOf(folder.path(), 1), "", {});
    ::_exit(0);
  }
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  const Autosave first(folder / "autosave"), second(folder / "autosave");
  std::vector<Leftover> found = first.leftovers();
  REQUIRE(found.size() == 1);
  CHECK_FALSE(found[0].version.hash);
  CHECK(second.leftovers().empty());
  found.clear();  // not decided yet
  found = second.leftovers();
  REQUIRE(found.size() == 1);
  Autosave::remove(found[0]);
  CHECK(first.leftovers().empty());
  CHECK(second.leftovers().empty());
}

TEST_CASE("a folder that cannot be made is named", "[viewer][autosave]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "no folder";
  CHECK_THROWS_WITH(Autosave(folder / "file" / "autosave"), Catch::Contains("autosave"));
}

}  // namespace autosave_tests
