#include <catch2/catch.hpp>

#include <cstdlib>
#include <iostream>

#include "support/effort.h"
#include "support/import_checks.h"
#include "support/mutated_imports.h"
#include "support/temporary_folder.h"
#if defined(FITUP_MESH_IMPORTER)
#include "mesh_model.h"
#include "support/small_mesh_files.h"
#endif

namespace mutated_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Makes a short run, unless the environment variable FITUP_MUTATIONS sets the number for each file, from
/// FITUP_MUTATION_SEED on; the tally is then printed.
MutationTally run(const std::string& name, const std::string& bytes, std::size_t shortRun,
                  const ImportFunction& importFile) {
  const char* count = std::getenv("FITUP_MUTATIONS");
  const char* seed = std::getenv("FITUP_MUTATION_SEED");
  const MutationTally tally =
      importMutations(name, bytes, count != nullptr ? std::strtoul(count, nullptr, 10) : shortRun,
                      seed != nullptr ? std::strtoul(seed, nullptr, 10) : 1, importFile);
  if (count != nullptr) std::cout << name << ": " << tally.text() << std::endl;
  return tally;
}

}  // namespace

#if defined(FITUP_MESH_IMPORTER)
TEST_CASE("damaged mesh files end in a clear error or an answer that says what is missing",
          "[importers][mutations]") {
  const ImportFunction inProcess = [](const std::filesystem::path& file) {
    importers::ProgressLines silent(nullptr);
    importers::SourceFile source(file);
    return importers::readMeshFile(source, {}, silent);
  };
  const ImportFunction inAnother = [](const std::filesystem::path& file) { return import(file); };
  for (const SmallMeshFile& mesh : smallMeshFiles()) {
    INFO(mesh.name);
    const ImportFunction& read = mesh.isOwn ? inProcess : inAnother;
    const TemporaryFolder folder;
    writeText(folder / mesh.name, mesh.bytes);
    const Model whole = read(folder / mesh.name);
    CHECK(countsOf(whole).triangles == mesh.triangles);
    CHECK(whole.warnings.empty());
    const std::string extension = std::filesystem::path(mesh.name).extension().string();
    CHECK(declaredElements(extension, mesh.bytes).count == mesh.declared);
    CHECK_FALSE(declaredElements(extension, mesh.bytes).malformed);

    const MutationTally tally = run(mesh.name, mesh.bytes, mesh.isOwn ? 400 : 30, read);
    INFO(tally.text());
    CHECK(tally.wrong.empty());
    CHECK(tally.refused > 0);
    if (mesh.isOwn) CHECK(tally.complete > 0);
  }
}
#endif

#if defined(FITUP_WRITE_TEST_STEP)
TEST_CASE("damaged CAD files end in a clear error or an answer that says what is missing",
          "[importers][mutations]") {
  struct Sample {
    const char *name, *argument;
  };
  const TemporaryFolder folder;
  for (const Sample& sample :
       {Sample{"small.step", "MM"}, Sample{"solids.igs", "BREP"}, Sample{"faces.igs", "FACES"}}) {
    INFO(sample.name);
    const std::string file = (folder / sample.name).string();
    const std::string command =
        std::string(FITUP_WRITE_TEST_STEP) + " " + file + " " + sample.argument + " >/dev/null";
    REQUIRE(std::system(command.c_str()) == 0);
    const Model whole = import(file);
    CHECK_FALSE(isIncomplete(whole));
    const std::string bytes = readText(file),
                      extension = std::filesystem::path(sample.name).extension().string();
    CHECK(declaredElements(extension, bytes).count > 10);

    ReadOptions options;
    options.importerMemoryLimit = std::size_t{4} << 30;
    options.noProgressLimit = std::chrono::seconds(10);  // intact files take a tenth of a second
    const MutationTally tally =
        run(sample.name, bytes, effort(5, 12),
            [&](const std::filesystem::path& mutated) { return import(mutated, options); });
    INFO(tally.text());
    CHECK(tally.wrong.empty());
  }
}
#endif

}  // namespace mutated_tests
