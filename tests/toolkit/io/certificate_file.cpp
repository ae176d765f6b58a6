#include <fitup/io/certificate_file.h>

#include <catch2/catch.hpp>

#include <fitup/base/error.h>

#include "support/placements.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"

namespace certificate_file_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// A block on a plate, pulled off it past a post that is not where it was designed.
struct Pull {
  Assembly assembly{"pull"};
  Poses poses;
  Track track{.moved = {"block"}};
  CertifyReport report;

  Pull() {
    const auto add = [&](const char* name, const MeshPtr& mesh, const Transform& at) {
      return assembly.addNode(name, at, {}, assembly.addPart(mesh));
    };
    add("block", sixSidedBox(2, 2, 2), shift(0, 0, 2));
    add("plate", sixSidedBox(8, 8, 2), {});
    poses.set(add("post", sixSidedBox(1, 1, 6), {}), shift(5, 3, 3));
    const AxisTurn screw{{3, 0, 0}, {0, 0, 1}, 90, 2.0 / 3};
    track.steps = {{{}}, {{{}, {0.1, 0, 0}}}, {screw.at(1) * RigidMotion{{}, {0.1, 0, 0}}}};
    track.ways = {{{}}, {{}}, {{screw}}};
    CertifyOptions options;
    options.tolerance = 0.1;
    options.clearance = 1.0 / 3;
    report = certify(Scene(assembly), poses, track, options);
  }
};

}  // namespace

TEST_CASE("certificates come back from their files as they were", "[io][certify]") {
  const TemporaryFolder folder;
  const Pull pull;
  REQUIRE(pull.report.answer() == CertifyAnswer::certain);
  const Certificate& written = pull.report.certificate;
  REQUIRE(written.pairs.size() == 2);
  REQUIRE(written.pairs[0].contact);
  REQUIRE_FALSE(written.pairs[1].contact);
  writeCertificate(folder / "c.json", "test", "pull.fitup", pull.assembly, pull.report);
  const Certificate read = readCertificate(folder / "c.json", pull.assembly);
  CHECK(read.modelHash == written.modelHash);
  CHECK(read.rest == written.rest);
  CHECK(read.track.moved == written.track.moved);
  CHECK(read.track.steps == written.track.steps);
  CHECK(read.track.ways == written.track.ways);
  CHECK(read.clearance == written.clearance);
  CHECK(read.tolerance == written.tolerance);
  CHECK(read.exactShapes == written.exactShapes);
  CHECK(read.certainUntil == written.certainUntil);
  CHECK(read.pairs == written.pairs);
  CHECK(read.unknown == written.unknown);
  CHECK(read.excluded == written.excluded);
}

TEST_CASE("errors of certificates name the field", "[io][certify]") {
  const TemporaryFolder folder;
  const Pull pull;
  writeCertificate(folder / "c.json", "test", "pull.fitup", pull.assembly, pull.report);
  const std::string right = readText(folder / "c.json");
  const auto error = [&](const std::string& what, const std::string& by) {
    std::string text = right;
    REQUIRE(text.find(what) != std::string::npos);
    text.replace(text.find(what), what.size(), by);
    writeText(folder / "wrong.json", text);
    try {
      (void)readCertificate(folder / "wrong.json", pull.assembly);
    } catch (const InputError& e) {
      const std::string message = e.what(), head = (folder / "wrong.json").string() + ": ";
      return message.starts_with(head) ? message.substr(head.size()) : "without the file: " + message;
    }
    return std::string("none");
  };
  CHECK(error(right, "{") != "none");
  CHECK(error("fitup-certificate", "fitup-track") == "not a file of format 'fitup-certificate'");
  CHECK(error(R"("unit":"mm","modelHash")", R"("unit":"m","modelHash")") ==
        "unit: is not that of the model, mm");
  CHECK(error(R"("modelHash":")", R"("modelHash":"x)").starts_with("modelHash: must be 16"));
  CHECK(error(R"("a":"block")", R"("a":"blok")") == "pair 0: a: 'blok' is not an instance of the model");
  CHECK(error(R"("exactShapes":false)", R"("exactShapes":0)") == "exactShapes: must be true or false");
  CHECK(error(R"("instance":"post")", R"("instance":"")").starts_with("rest 0: instance: "));
  CHECK(error(R"([1.0,0.0,0.0,5.0])", R"([0.0,0.0,0.0,5.0])") == "rest 0: worldFromPart: is singular");
  CHECK(error(R"("intervals":[[)", R"("intervals":[[1],[)") ==
        "pair 0: interval 0: must have three or five numbers");
  CHECK(error(R"("intervals":[[0.0,)", R"("intervals":[[1e999,)") != "none");
  CHECK(error(R"("version":2)", R"("version":0)") == "track: version: must be 1 or 2");
  CHECK(error(R"("clearance":)", R"("extra":1,"clearance":)") != "none");
  CHECK_THROWS_AS(writeCertificate(folder / "c.txt", "", "", pull.assembly, pull.report), InputError);
  CHECK_THROWS_AS(readCertificate(folder / "none.json", pull.assembly), FileError);
}

}  // namespace certificate_file_tests
