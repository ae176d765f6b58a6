#include <fitup/io/read_assembly.h>

#include <catch2/catch.hpp>

#include <sys/resource.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>

#include <fitup/base/error.h>
#include <fitup/io/import_folder.h>
#include <fitup/io/model_cache.h>

#include "support/sample_model.h"
#include "support/temporary_folder.h"

namespace read_assembly_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// A folder with the fake importer as its importers, one for the system's temporary files, to check that
/// nothing stays, and a cache.
struct Setting {
  TemporaryFolder folder, importers, temporary, cacheParent;
  ReadOptions options;
  std::vector<std::string> phases;
  std::string oldTmpdir;

  Setting() {
    std::filesystem::create_symlink(FITUP_FAKE_IMPORTER, importers / "fitup-import-cad");
    options.importerFolder = importers.path();
    options.useCache = true;
    options.cacheFolder = cacheParent / "cache";
    options.noProgressLimit = std::chrono::seconds(30);
    const char* old = std::getenv("TMPDIR");
    oldTmpdir = old ? old : "";
    ::setenv("TMPDIR", temporary.path().c_str(), 1);
  }
  ~Setting() {
    if (oldTmpdir.empty())
      ::unsetenv("TMPDIR");
    else
      ::setenv("TMPDIR", oldTmpdir.c_str(), 1);
  }
  std::filesystem::path file(const std::string& mode) const {
    writeText(folder / "model.step", mode);
    return folder / "model.step";
  }
  Model read(const std::filesystem::path& path) {
    phases.clear();
    return readAssembly(path, options,
                        Progress({}, [&](std::string_view phase, double) { phases.emplace_back(phase); }));
  }
  /// Returns the only model in the cache.
  std::filesystem::path cached() const {
    const auto entries = ModelCache(*options.cacheFolder).entries();
    return entries.size() == 1 ? entries[0].file : std::filesystem::path();
  }
  bool imported() const { return std::find(phases.begin(), phases.end(), "reading") != phases.end(); }
};

}  // namespace

TEST_CASE("importers are taken from the folder that the environment names", "[io]") {
  Setting setting;
  const auto file = setting.file("good");
  setting.options.importerFolder.reset();
  setting.options.useCache = false;
  ::setenv("FITUP_IMPORTERS", setting.importers.path().c_str(), 1);
  CHECK(setting.read(file).assembly.instances().size() == 1);
  CHECK(setting.imported());
  ::setenv("FITUP_IMPORTERS", setting.temporary.path().c_str(), 1);
  CHECK(messageOf<ImportError>([&] { (void)setting.read(file); }) ==
        "fitup-import-cad is not installed in " + setting.temporary.path().string());
  ::unsetenv("FITUP_IMPORTERS");
}

TEST_CASE("an assembly is imported once and then read from the cache", "[io][cache]") {
  Setting setting;
  const auto file = setting.file("good");
  const Model first = setting.read(file);
  CHECK(setting.imported());
  REQUIRE(first.assembly.instances().size() == 1);
  REQUIRE(first.collisionModels.size() == 1);
  CHECK(first.source.path == file.string());
  CHECK(first.source.digest == digestOf("good"));
  CHECK(first.fromCache.empty());
  CHECK(std::filesystem::exists(setting.cached()));
  CHECK(setting.folder.entryCount() == 1);  // nothing beside the source
  CHECK(setting.temporary.entryCount() == 0);

  const Model second = setting.read(file);
  CHECK_FALSE(setting.imported());
  CHECK(sameModel(first, second));
  CHECK(second.source == first.source);
  CHECK(second.fromCache == std::vector{file.string()});

  SECTION("not if the source has changed") {
    (void)setting.read(setting.file("good\nchanged"));
    CHECK(setting.imported());
  }
  SECTION("not with other options") {
    setting.options.linearDeflection = 0.2;
    (void)setting.read(file);
    CHECK(setting.imported());
  }
  SECTION("not with other hierarchies") {
    const auto change = GENERATE(1, 2, 3);
    BuildOptions& build = setting.options.build;
    if (change == 1) build.wide.reset();
    if (change == 2) build.wide->layout = WideLayout::compact;
    if (change == 3) build.wide->orientNodes = false;
    (void)setting.read(file);
    CHECK(setting.imported());
    build = {};
    const Model whole = setting.read(file);
    CHECK_FALSE(setting.imported());  // both are kept
    CHECK(whole.collisionModels[0]->hasWide());
  }
  SECTION("triangle R-trees are not kept, but built where they are asked for") {
    CHECK_FALSE(first.collisionModels[0]->has(HierarchyKind::scd));
    setting.options.build.add(HierarchyKind::scd);
    const Model asked = setting.read(file);
    CHECK_FALSE(setting.imported());
    CHECK(asked.collisionModels[0]->tree(HierarchyKind::scd).problemFor(asked.assembly.part(PartId{0})) ==
          std::nullopt);
    setting.options.build = {};
    CHECK(sameModel(setting.read(file), first));
  }
  SECTION("not if the model file is damaged, which is said aloud") {
    std::string bytes = readText(setting.cached());
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    writeText(setting.cached(), bytes);
    CHECK(sameModel(setting.read(file), first));
    CHECK(setting.imported());
    CHECK(std::find(setting.phases.begin(), setting.phases.end(),
                    "the cached import is damaged; importing again") != setting.phases.end());
    (void)setting.read(file);
    CHECK_FALSE(setting.imported());
  }
  SECTION("not if it shall not be") {
    setting.options.useCache = false;
    (void)setting.read(file);
    CHECK(setting.imported());
  }
  SECTION("not if a file it refers to has changed") {
    Model model = readModelFile(setting.cached());
    model.source.referencedFiles = {{"gone.stp", digestOf("what it was")}};
    writeModelFile(setting.cached(), model);
    (void)setting.read(file);
    CHECK(setting.imported());
    model.source.referencedFiles[0].digest = {};  // it did not exist either
    writeModelFile(setting.cached(), model);
    (void)setting.read(file);
    CHECK_FALSE(setting.imported());
  }
  SECTION("not by another build of the importer") {
    std::filesystem::remove(setting.importers / "fitup-import-cad");
    std::filesystem::copy_file(FITUP_FAKE_IMPORTER, setting.importers / "fitup-import-cad");
    (void)setting.read(file);
    CHECK(setting.imported());
  }
  SECTION(
      "not under another name, in another folder or with another root, of which references and names "
      "depend") {
    std::filesystem::copy_file(file, setting.folder / "other.step");
    (void)setting.read(setting.folder / "other.step");
    CHECK(setting.imported());
    setting.options.root = setting.folder.path().parent_path();
    (void)setting.read(file);
    CHECK(setting.imported());
  }
}

TEST_CASE("nobody has a cache who does not ask for one", "[io][cache]") {
  Setting setting;
  const auto file = setting.file("good");
  CHECK_FALSE(ReadOptions().useCache);
  setting.options.useCache = false;
  for (int time = 0; time < 2; ++time) {
    CHECK(setting.read(file).fromCache.empty());
    CHECK(setting.imported());
  }
  CHECK(setting.cacheParent.entryCount() == 0);
}

TEST_CASE("what lies beside a source is not believed, nor touched", "[io][cache]") {
  Setting setting;
  const auto file = setting.file("good");
  const std::filesystem::path beside = file.string() + ".fitup";
  // As an archive may contain it: with the right source, and empty.
  Model forged;
  forged.source.path = file.string();
  forged.source.digest = digestOf("good");
  std::string bytes = modelFileBytes(forged);
  SECTION("a forged cache") {}
  SECTION("a user's own file") { bytes = "my notes"; }
  writeText(beside, bytes);
  const auto before = std::filesystem::last_write_time(beside);
  const Model model = setting.read(file);
  CHECK(setting.imported());
  CHECK(model.assembly.instances().size() == 1);
  CHECK(readText(beside) == bytes);
  CHECK(std::filesystem::last_write_time(beside) == before);
  // It is reported once, not whenever the file is read.
  REQUIRE(model.warnings.size() == 1);
  CHECK(model.warnings[0].message.find("model.step.fitup is not used") != std::string::npos);
  CHECK_FALSE(model.warnings[0].incomplete);
  CHECK(setting.read(file).warnings.empty());
}

TEST_CASE("what lies beside a source may be a pipe or a folder", "[io][cache]") {
  Setting setting;
  const auto file = setting.file("good");
  std::filesystem::create_directory(file.string() + ".fitup");
  CHECK(setting.read(file).assembly.instances().size() == 1);
  std::filesystem::remove(file.string() + ".fitup");
  REQUIRE(::mkfifo((file.string() + ".fitup").c_str(), 0600) == 0);
  CHECK(setting.read(setting.file("good\n")).assembly.instances().size() == 1);
}

TEST_CASE("a source that is exchanged while it is imported is never known by what it was", "[io][cache]") {
  Setting setting;
  // The importer reads a file of two lines slowly enough for an exchange; the result is named after the
  // second line.
  const auto file = setting.file("name\nfirst");
  const auto inPlace = GENERATE(false, true);
  const auto exchange = [&](const std::string& text) {
    if (inPlace) return writeText(file, text);
    writeText(setting.folder / "new", text);
    std::filesystem::rename(setting.folder / "new", file);
  };
  std::size_t phases = 0;
  const Model raced = readAssembly(file, setting.options, Progress({}, [&](std::string_view phase, double) {
                                     if (phase != "reading" || phases++ > 0) return;
                                     exchange("name\nsecond");
                                   }));
  const std::string name = raced.assembly.part(PartId(0)).name();
  CHECK(raced.source.digest == digestOf("name\n" + name));
  // Whatever is in the cache, the result belongs to the current bytes.
  for (const std::string text : {"first", "second", "first"}) {
    exchange("name\n" + text);
    CHECK(setting.read(file).assembly.part(PartId(0)).name() == text);
  }
}

TEST_CASE("trees that an importer hands back are not believed", "[io]") {
  Setting setting;
  const Model model = setting.read(setting.file("trees"));
  REQUIRE(model.collisionModels.size() == 1);
  CHECK(model.collisionModels[0]->wide().layout == WideLayout::fast);  // its own are compact
}

TEST_CASE("what a killed program left of an import is removed by the next one", "[io]") {
  Setting setting;
  const auto file = setting.file("good");
  setting.options.useCache = false;
  const auto age = [&](const std::filesystem::path& folder) {
    std::filesystem::last_write_time(folder,
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  };
  const auto abandoned = setting.temporary / "fitup-import-abcdef",
             young = setting.temporary / "fitup-import-young1",
             other = setting.temporary / "other-import-abcdef",
             named = setting.temporary / "fitup-import-results",
             used = setting.temporary / "fitup-import-mine01";
  for (const auto& folder : {abandoned, young, other, named, used}) {
    REQUIRE(::mkdir(folder.c_str(), 0700) == 0);
    writeText(folder / "import.fitup", "half a model");
  }
  writeText(used / "results.txt", "somebody's");
  writeText(abandoned / ".import.fitup.new", "another half");
  for (const auto& folder : {abandoned, other, named, used}) age(folder);
  const ImportFolder inUse;
  age(inUse.path());
  (void)setting.read(file);
  CHECK_FALSE(std::filesystem::exists(abandoned));
  CHECK(std::filesystem::exists(young));
  for (const auto& folder : {other, named, used}) CHECK(std::filesystem::exists(folder / "import.fitup"));
  CHECK(std::filesystem::exists(inUse.path()));
}

TEST_CASE("a failed import names the file and leaves nothing behind", "[io]") {
  Setting setting;
  setting.options.noProgressLimit = std::chrono::seconds(1);
  setting.options.importerMemoryLimit = std::size_t{256} << 20;
  const auto error = [&](const std::string& mode) {
    const auto file = setting.file(mode);
    const std::string message = messageOf<ImportError>([&] { (void)setting.read(file); });
    CHECK(message.starts_with(file.string() + ": "));
    CHECK(setting.temporary.entryCount() == 0);
    CHECK(setting.cached().empty());
    return message.substr(std::min(message.size(), file.string().size() + 2));
  };
  CHECK(error("refuse") == "refused: the file smells");
  CHECK(error("abort") == "importer crashed (signal 6) while reading");
  CHECK(error("hang") == "no progress for 1 s while reading");
  CHECK(error("secret companion") ==
        "the importer's result is unusable: external file ../secret: does not lie below the root folder");
  CHECK(error("garbage").find("not a Fitup model file") != std::string::npos);
}

TEST_CASE("what an importer litters its folder with is removed, and no link in it is followed", "[io]") {
  Setting setting;
  setting.options.importerMemoryLimit = 0;  // with a limit, it is ended as soon as its folders are seen
  // Deeper than the number of folders that can be open at once.
  rlimit limit{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &limit) == 0);
  const rlimit few{256, limit.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
  std::filesystem::create_directory(setting.folder / "mine");
  writeText(setting.folder / "mine/file", "mine");
  const auto file = setting.file("litter\n" + (setting.folder / "mine").string());
  CHECK(messageOf<ImportError>([&] { (void)setting.read(file); }) ==
        file.string() + ": importer crashed (signal 6) while reading");
  CHECK(::setrlimit(RLIMIT_NOFILE, &limit) == 0);
  CHECK(setting.temporary.entryCount() == 0);
  CHECK(readText(setting.folder / "mine/file") == "mine");
}

TEST_CASE("an importer that fills the disk is ended", "[io]") {
  Setting setting;
  setting.options.importerMemoryLimit = std::size_t{128} << 20;  // for its libraries too
  const auto file = setting.file("fill");
  CHECK(messageOf<ImportError>([&] { (void)setting.read(file); }) ==
        file.string() + ": importer wrote more than 256 MiB of files");
  CHECK(setting.temporary.entryCount() == 0);
}

TEST_CASE("an importer that nests folders too deeply to be counted is ended", "[io]") {
  Setting setting;
  const auto file = setting.file("nest");
  CHECK(messageOf<ImportError>([&] { (void)setting.read(file); }) ==
        file.string() + ": folders of the import are nested more than 200 deep");
  CHECK(setting.temporary.entryCount() == 0);
}

TEST_CASE("the folder of an import is the one that was made, whatever stands in its place", "[io]") {
  Setting setting;
  const auto file = setting.file("good"), elsewhere = setting.temporary / "elsewhere";
  std::filesystem::path place;
  {
    const ImportFolder folder;
    place = folder.path();
    std::filesystem::rename(place, elsewhere);
    std::filesystem::create_directories(place / "files");  // an attacker's
    writeText(place / "import.fitup", "forged");
    writeText(elsewhere / "import.fitup", "the importer's");
    CHECK(readText(folder.openModel()) == "the importer's");
    const auto copy = folder.copy(file, std::nullopt);
    CHECK(copy.file == place / "files" / file.filename());
    CHECK(readText(elsewhere / "files" / file.filename()) == readText(file));
    CHECK_FALSE(std::filesystem::exists(copy.file));
    CHECK(folder.bytes().value_or(0) >= 3 * 4096);
  }
  CHECK(std::filesystem::is_empty(elsewhere));
  CHECK(readText(place / "import.fitup") == "forged");
}

TEST_CASE("a folder for temporary files that is none is named", "[io]") {
  Setting setting;
  const auto file = setting.file("good");
  const std::string missing = (setting.temporary / "missing").string();
  ::setenv("TMPDIR", missing.c_str(), 1);
  CHECK(messageOf<FileError>([&] { (void)setting.read(file); }) ==
        missing + ": cannot keep temporary files there: No such file or directory");
  ::setenv("TMPDIR", file.c_str(), 1);
  CHECK(messageOf<FileError>([&] { (void)setting.read(file); }) ==
        file.string() + ": cannot keep temporary files there: Not a directory");
  ::unsetenv("TMPDIR");
  ::setenv("TMP", missing.c_str(), 1);
  CHECK(messageOf<FileError>([&] { (void)setting.read(file); }).starts_with(missing + ": "));
  ::unsetenv("TMP");
}

TEST_CASE("a folder for temporary files in which other users may replace them is refused", "[io]") {
  Setting setting;
  setting.options.useCache = false;
  const auto file = setting.file("good");
  REQUIRE(::chmod(setting.temporary.path().c_str(), 0777) == 0);
  CHECK(messageOf<FileError>([&] { (void)setting.read(file); }) ==
        setting.temporary.path().string() +
            ": cannot keep temporary files there: other users may replace them");
  REQUIRE(::chmod(setting.temporary.path().c_str(), 01777) == 0);
  CHECK(setting.read(file).assembly.instances().size() == 1);

  // A folder above it.
  const auto below = setting.temporary / "below";
  std::filesystem::create_directory(below);
  ::setenv("TMPDIR", below.c_str(), 1);
  CHECK(setting.read(file).assembly.instances().size() == 1);
  REQUIRE(::chmod(setting.temporary.path().c_str(), 0777) == 0);
  CHECK(messageOf<FileError>([&] { (void)setting.read(file); }) ==
        below.string() +
            ": cannot keep temporary files there: other users may replace them, because they can write to " +
            std::filesystem::canonical(setting.temporary.path()).string());
  // The user decides about a group, unless the folder belongs to another user.
  REQUIRE(::chmod(setting.temporary.path().c_str(), 0770) == 0);
  CHECK(setting.read(file).assembly.instances().size() == 1);
  constexpr uid_t another = 12345;
  if (::chown(setting.temporary.path().c_str(), another, static_cast<gid_t>(-1)) == 0)
    CHECK_THROWS_AS(setting.read(file), FileError);
  else
    WARN("only root can give a folder away: not tested");
}

TEST_CASE("a source that seems larger than its importer's memory is refused before it is read", "[io]") {
  Setting setting;
  const auto file = setting.file("good");
  std::filesystem::resize_file(file, std::uintmax_t{20} << 30);  // a sparse file
  CHECK(messageOf<InputError>([&] { (void)setting.read(file); }) ==
        file.string() + ": is larger than the memory that its importer may use");
}

TEST_CASE("files that no importer reads are errors", "[io]") {
  Setting setting;
  CHECK_THROWS_AS(setting.read(setting.folder / "none.step"), FileError);
  writeText(setting.folder / "a.txt", "x");
  CHECK_THROWS_AS(setting.read(setting.folder / "a.txt"), InputError);
  writeText(setting.folder / "a.obj", "x");
  CHECK(messageOf<ImportError>([&] {
          (void)setting.read(setting.folder / "a.obj");
        }).find("fitup-import-mesh is not installed") != std::string::npos);
}

TEST_CASE("several files are read as one assembly, none are refused", "[io]") {
  const TemporaryFolder folder;
  Model model = sampleModel();
  model.warnings = {{"part 7", "lost a face", true}, {"", "odd", false}};
  const std::vector<std::filesystem::path> files{folder / "a.fitup", folder / "b.fitup"};
  for (const auto& file : files) writeModelFile(file, model);
  const Model both = readAssemblies(files);
  CHECK(both.assembly.nodes().size() == 2 * (1 + model.assembly.nodes().size()));
  CHECK(both.collisionModels.size() == 2 * model.assembly.partCount());
  CHECK(both.assembly.unit() == model.assembly.unit());
  REQUIRE(both.warnings.size() == 4);
  CHECK(both.warnings[1].element == "a");
  CHECK(both.warnings[2].element == "b/part 7");
  const Model one = readAssemblies(std::span(files).first(1));
  CHECK(one.assembly.contentHash() == model.assembly.contentHash());
  CHECK_THROWS_AS(readAssemblies({}), InputError);

  // Another unit is scaled to that of the first file; an unknown one is refused.
  const std::string unit = model.assembly.unit();
  const NodeId first = model.assembly.instances().front();
  const Vec3 extent = model.assembly.worldBounds(first).max - model.assembly.worldBounds(first).min;
  const auto withUnit = [&](const std::string& other) {
    Assembly assembly = model.assembly;
    assembly.setUnit(other);
    Model written = model;
    written.assembly = assembly;
    writeModelFile(files[1], written);
  };
  const std::string other = unit == "in" ? "mm" : "in";
  withUnit(other);
  const Assembly scaled = readAssemblies(files).assembly;
  CHECK(scaled.unit() == unit);
  const std::vector<NodeId> instances = scaled.instances();
  const NodeId twin = instances[instances.size() / 2];
  const Vec3 there = scaled.worldBounds(twin).max - scaled.worldBounds(twin).min;
  const double factor = *millimetresPer(other) / *millimetresPer(unit);
  for (int axis = 0; axis < 3; ++axis) CHECK(there[axis] == Approx(factor * extent[axis]).epsilon(1e-5));
  withUnit("parsec");
  CHECK_THROWS_WITH(readAssemblies(files), Catch::Contains(files[1].string() + ": unit"));
}

TEST_CASE("the word for segments sets what surfaces of meshes and of scenes are") {
  const auto by = [](const char* word) {
    ImportSettings settings;
    settings.sceneSurfaces = SceneSurfaces::primitiveSets;
    settings.segmentationAngle = 77;
    setSegmentation(settings, "segment", word);
    return std::pair(settings.sceneSurfaces, settings.segmentationAngle);
  };
  CHECK(by("none") == std::pair(SceneSurfaces::drawables, std::optional<double>()));
  CHECK(by("primitives") == std::pair(SceneSurfaces::primitiveSets, std::optional(30.0)));
  CHECK(by("smooth") == std::pair(SceneSurfaces::smoothPatches, std::optional(30.0)));
  CHECK(by("12.5") == std::pair(SceneSurfaces::smoothPatches, std::optional(12.5)));
  for (const char* wrong : {"", "some", "nan", "-1", "181", "30 ", "inf"})
    CHECK_THROWS_AS(by(wrong), InputError);
}

}  // namespace read_assembly_tests
