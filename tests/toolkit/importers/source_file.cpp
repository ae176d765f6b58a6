#include "source_file.h"

#include <catch2/catch.hpp>

#include <sys/stat.h>

#include <fitup/base/error.h>
#include <fitup/io/import_folder.h>

#include "support/temporary_folder.h"

namespace source_file_tests {

using namespace fitup;
using namespace fitup::importers;
using namespace fitup::test;
using Result = SourceFile::Reference::Result;

namespace {

/// root/in/model.obj and other files, and a secret outside of the root.
struct Tree {
  TemporaryFolder folder;
  ImportFolder copies;

  Tree() {
    std::filesystem::create_directories(folder / "root/in/deep");
    std::filesystem::create_directories(folder / "root/beside");
    for (const char* name : {"secret", "root/up.txt", "root/in/model.obj", "root/in/a.txt",
                             "root/in/deep/b.txt", "root/beside/c.txt"})
      writeText(folder / name, name);
    std::filesystem::create_symlink("../../secret", folder / "root/in/link");
    std::filesystem::create_symlink("../..", folder / "root/in/way out");
    std::filesystem::create_symlink("a.txt", folder / "root/in/alias");
    REQUIRE(::mkfifo((folder / "root/in/pipe").c_str(), 0600) == 0);
  }
  SourceFile source(std::optional<std::filesystem::path> root = {}) {
    const auto copy = copies.copy(folder / "root/in/model.obj", root);
    return {copy.file, copy.root, copies.copies()};
  }
};

}  // namespace

TEST_CASE("references lead to copies of files below the folder", "[importers]") {
  Tree tree;
  SourceFile source = tree.source();
  CHECK(readText(source.bytes()) == "root/in/model.obj");
  CHECK(source.name() == std::filesystem::canonical(tree.folder / "root/in/model.obj"));
  for (const char* name : {"a.txt", "./a.txt", "deep/../a.txt", "deep\\..\\a.txt", "../in/a.txt"}) {
    INFO(name);
    const SourceFile::Reference found = source.find(name);
    REQUIRE(found.isFound());
    CHECK(readText(found.bytes) == "root/in/a.txt");
    CHECK_FALSE(std::filesystem::equivalent(found.bytes, tree.folder / "root/in/a.txt"));
  }
  // Also as an absolute path, and as the path of the copy, which libraries request that follow references.
  const auto original = std::filesystem::canonical(tree.folder / "root/in/a.txt"),
             copy = source.bytes().parent_path() / "a.txt";
  for (const auto& path : {original, copy}) CHECK(source.find(path.string()).isFound());
  CHECK(source.isCopy(copy));
  CHECK_FALSE(source.isCopy(original));
  // A referenced file has references of its own, relative to its folder.
  const SourceFile::Reference deep = source.find("deep/b.txt");
  REQUIRE(deep.isFound());
  CHECK(source.find(deep.bytes, "../a.txt").isFound());
  CHECK(source.find(deep.bytes, "a.txt").result == Result::missing);
  CHECK(source.find("alias").isFound());

  REQUIRE(source.referencedFiles().size() == 4);
  CHECK(source.referencedFiles()[0] == CompanionFile{"a.txt", digestOf("root/in/a.txt")});
  CHECK(source.referencedFiles()[1] == CompanionFile{"deep/b.txt", digestOf("root/in/deep/b.txt")});
  CHECK(source.referencedFiles()[2] == CompanionFile{"deep/a.txt", {}});
  // The source is not one of its own referenced files.
  CHECK(source.find("model.obj").isFound());
  CHECK(source.referencedFiles().size() == 4);
}

TEST_CASE("references lead nowhere else", "[importers]") {
  Tree tree;
  SourceFile source = tree.source();
  for (const std::string name : {"../up.txt", "../../secret", "link", "way out/secret", "way out/root/up.txt",
                                 "/etc/passwd", "..", "", "deep/../../up.txt", "..\\up.txt"}) {
    INFO(name);
    const SourceFile::Reference found = source.find(name);
    CHECK(found.result == Result::outside);
    CHECK(found.problem == "is outside the file's folder and is not read");
    CHECK_FALSE(source.isThere(name));
  }
  CHECK(source.find(std::string_view("a.txt\0", 6)).result == Result::outside);
  CHECK(source.find((tree.folder / "secret").string()).result == Result::outside);
  CHECK(source.referencedFiles().empty());
  CHECK(source.find("pipe").result == Result::notPlain);
  CHECK(source.find("deep").result == Result::notPlain);
  CHECK(source.find(".").result == Result::notPlain);
  CHECK(source.find("a.txt", 3).result == Result::tooLarge);
}

TEST_CASE("files that seem larger than all that may be copied cost nothing", "[importers]") {
  Tree tree;
  for (const char* name : {"root/in/huge", "root/in/vast"}) {
    writeText(tree.folder / name, "");
    std::filesystem::resize_file(tree.folder / name, std::uintmax_t{9} << 30);  // a sparse file
  }
  SourceFile source = tree.source();
  CHECK(source.find("huge", 100).problem.find("is larger than") == 0);
  CHECK(source.find("vast").result == Result::tooLarge);
  CHECK_FALSE(std::filesystem::exists(source.find("vast").bytes));
  CHECK(source.find("a.txt").isFound());  // whatever was there before
}

TEST_CASE("a root folder lets references lead to all below it", "[importers]") {
  Tree tree;
  SourceFile source = tree.source(tree.folder / "root");
  CHECK(source.find("../up.txt").isFound());
  CHECK(source.find("../beside/c.txt").isFound());
  CHECK(source.referencedFiles()[1].path == "../beside/c.txt");
  CHECK(source.find("../../secret").result == Result::outside);
  CHECK(source.find("link").result == Result::outside);
  CHECK(messageOf<InputError>([&] {
          (void)tree.copies.copy(tree.folder / "secret", tree.folder / "root");
        }).ends_with("secret: is outside the root folder " + (tree.folder / "root").string()));
}

TEST_CASE("what was copied stays what it was", "[importers]") {
  Tree tree;
  SourceFile source = tree.source();
  const SourceFile::Reference found = source.find("a.txt");
  writeText(tree.folder / "root/in/a.txt", "another");
  writeText(tree.folder / "root/in/model.obj", "another");
  CHECK(readText(source.find("a.txt").bytes) == "root/in/a.txt");
  CHECK(source.referencedFiles()[0].digest == digestOf(readText(found.bytes)));
  CHECK(readText(source.bytes()) == "root/in/model.obj");
}

}  // namespace source_file_tests
