#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

#include <fitup/base/error.h>

#include "support/import_checks.h"
#include "support/temporary_folder.h"

namespace ply_off_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

Model importText(const std::string& name, const std::string& text, const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  writeText(folder / name, text);
  return import(folder / name, options);
}

std::string errorOf(const std::string& name, const std::string& text) {
  const std::string message = messageOf<ImportError>([&] { (void)importText(name, text); });
  const std::string mark = name + ": refused: ";
  const std::size_t at = message.find(mark);
  return at == std::string::npos ? message : message.substr(at + mark.size());
}

/// A pyramid over a square, of height 0.1 (not a 32-bit number).
const std::string pyramidPoints = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n0.5 0.5 0.1\n";
const std::string pyramidFaces = "4 0 3 2 1\n3 0 1 4\n3 1 2 4\n3 2 3 4\n3 3 0 4\n";

std::string plyText(const std::string& faces = pyramidFaces, int faceCount = 5) {
  return "ply\nformat ascii 1.0\ncomment \xC3\xBC\nelement vertex 5\nproperty float x\nproperty float "
         "y\nproperty "
         "float z\nelement face " +
         std::to_string(faceCount) + "\nproperty list uchar int vertex_indices\nend_header\n" +
         pyramidPoints + faces;
}

template <typename T>
void put(std::string& bytes, T value, bool isBigEndian) {
  auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if (isBigEndian) std::reverse(raw.begin(), raw.end());
  bytes.append(raw.data(), raw.size());
}

/// Returns the pyramid with doubles, a colour before the coordinates, a list with another name, and edges.
std::string plyBinary(bool isBigEndian, const std::string& lineEnd = "\n") {
  std::string text;
  for (const char* line :
       {"ply", isBigEndian ? "format binary_big_endian 1.0" : "format binary_little_endian 1.0",
        "element vertex 5", "property uchar red", "property double x", "property double y",
        "property double z", "element edge 2", "property short a", "element face 5",
        "property list uchar ushort flags", "property list uint ushort vertex_index", "end_header"})
    text += line + lineEnd;
  const double points[5][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 0.1}};
  for (const auto& p : points) {
    put<std::uint8_t>(text, 10, isBigEndian);
    for (const double c : p) put(text, c, isBigEndian);
  }
  for (const std::int16_t edge : {1, 2}) put(text, edge, isBigEndian);
  const std::vector<std::vector<std::uint16_t>> faces{
      {0, 3, 2, 1}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  for (const auto& face : faces) {
    put<std::uint8_t>(text, 1, isBigEndian);
    put<std::uint16_t>(text, 7, isBigEndian);
    put(text, static_cast<std::uint32_t>(face.size()), isBigEndian);
    for (const std::uint16_t corner : face) put(text, corner, isBigEndian);
  }
  return text;
}

void checkPyramid(const Model& model) {
  REQUIRE(model.assembly.partCount() == 1);
  const TriangleMesh& mesh = model.assembly.part(PartId(0));
  CHECK(mesh.name() == "some pyramid");
  CHECK(model.assembly.path(NodeId(0)) == "some pyramid");
  CHECK(mesh.points().size() == 5);
  CHECK(mesh.triangleCount() == 6);
  CHECK(mesh.surfaces().size() == 2);  // the bottom, and the sides at 16 degrees to each other
  CHECK(signedVolume(mesh) == Approx(0.1 / 3).epsilon(1e-6));
  CHECK(mesh.sourceTriangle(TriangleId(0)) == 0);
  CHECK(mesh.sourceTriangle(TriangleId(5)) == 4);
  // Read in double precision: only the rounding to storage is lost, and it is reported.
  CHECK(mesh.validation().largestRounding < 1e-8);
}

bool isAbsent() {
  if (meshImporter()) return false;
  WARN("skipped: the mesh importer is absent");
  return true;
}

}  // namespace

TEST_CASE("PLY files in text and both byte orders hold the same", "[importers]") {
  if (isAbsent()) return;
  const Model text = importText("some pyramid.ply", plyText());
  checkPyramid(text);
  CHECK(text.warnings.empty());
  checkPyramid(importText("some pyramid.ply", plyText() + "\n \n"));
  checkPyramid(importText("some pyramid.ply", "\xEF\xBB\xBF" + plyText()));
  for (const bool isBigEndian : {false, true})
    for (const char* lineEnd : {"\n", "\r\n", "\r"}) {
      const Model binary = importText("some pyramid.ply", plyBinary(isBigEndian, lineEnd));
      checkPyramid(binary);
      CHECK(binary.warnings ==
            std::vector<ImportWarning>{
                {"file", "2 elements edge are left out because only faces are checked", false}});
      CHECK(binary.assembly.part(PartId(0)).contentHash() == text.assembly.part(PartId(0)).contentHash());
    }
}

TEST_CASE("triangle strips of PLY files keep their orientation", "[importers]") {
  if (isAbsent()) return;
  const Model model = importText(
      "a.ply",
      "ply\nformat ascii 1.0\nelement vertex 4\nproperty double x\nproperty double y\nproperty double "
      "z\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n1 1 "
      "0\n8 "
      "0 1 2 3 -1 1 3 2\n");
  const TriangleMesh& mesh = model.assembly.part(PartId(0));
  REQUIRE(mesh.triangleCount() == 3);
  for (std::uint32_t i = 0; i < 3; ++i) {
    const Triangle t = mesh.triangle(TriangleId(i));
    CHECK(cross(t.v[1] - t.v[0], t.v[2] - t.v[0]).z == 1);
  }
}

TEST_CASE("a PLY file that holds less or more than it declares is refused or said to", "[importers]") {
  if (isAbsent()) return;
  CHECK(errorOf("a.ply", "") == "the file is empty");
  CHECK(errorOf("a.ply", "plyx\n") == "not a PLY file: it does not begin with 'ply'");
  CHECK(errorOf("a.ply", "ply\nformat ascii 1.0\nelement vertex 5\n") ==
        "the file is cut off: end_header is missing");
  CHECK(errorOf("a.ply", "ply\nelement vertex 0\nend_header\n") == "the header does not say its format");
  CHECK(errorOf("a.ply", plyText(pyramidFaces, 6)) ==
        "the file is cut off: 5 of 6 elements face are present");
  CHECK(errorOf("a.ply", plyText("3 0 1 5\n", 1)) == "face 0: corner 2 is none of the 5 points");
  CHECK(errorOf("a.ply", plyText("3 0 1 1.5\n", 1)) == "face 0: corner 2 is none of the 5 points");
  CHECK(errorOf("a.ply", plyText("3 0 1\n", 1)) == "line 16: the line has too few values");
  CHECK(errorOf("a.ply", plyText("3 0 1 2 3\n", 1)) == "line 16: the line has too many values");
  CHECK(errorOf("a.ply", plyText("3 0 1 x\n", 1)) == "line 16: 'x' is not a number");
  CHECK(errorOf("a.ply", plyText("-1 0 1 2\n", 1)) ==
        "face 0: the length of list vertex_indices is not a whole number");
  CHECK(errorOf("a.ply", plyText("", 0)) == "holds no triangles, only 5 points");
  std::string nan = plyText();
  nan.replace(nan.find("0.1\n"), 3, "nan");
  CHECK(errorOf("a.ply", nan) == "vertex 4: a coordinate is not finite");
  std::string huge = plyText();
  huge.replace(huge.find("vertex 5"), 8, "vertex 99999999999");
  CHECK(errorOf("a.ply", huge) == "line 16: the line has too many values");

  const std::string binary = plyBinary(false);
  CHECK(errorOf("a.ply", binary.substr(0, binary.size() - 1)) ==
        "the file is cut off: 4 of 5 elements face are present");
  const Model more = importText("a.ply", binary + "xx");
  CHECK(more.warnings.back() ==
        ImportWarning{"file", "holds more data than its header declares; geometry may be missing", true});
  const Model fewer = importText("a.ply", plyText(pyramidFaces, 4));
  CHECK(fewer.warnings ==
        std::vector<ImportWarning>{
            {"file", "holds more data than its header declares; geometry may be missing", true}});
  const Model edges = importText("a.ply", plyText("3 0 1 2\n2 0 1\n", 2));
  CHECK(edges.warnings ==
        std::vector<ImportWarning>{
            {"file", "1 faces of fewer than three corners are left out because they have no area", false}});
}

TEST_CASE("OFF files are read, with and without colours, comments and their first word", "[importers]") {
  if (isAbsent()) return;
  for (const std::string& head :
       {std::string("OFF\n5 5 0\n"), std::string("OFF 5 5 8 # counts\n\n"), std::string("5 5 8\n"),
        std::string("\xEF\xBB\xBF# a pyramid\r\nOFF\r\n5 5 0\r\n")}) {
    const Model model = importText("some pyramid.off", head + pyramidPoints + "# faces\n" + pyramidFaces);
    checkPyramid(model);
    CHECK(model.warnings.empty());
  }
  checkPyramid(
      importText("some pyramid.OFF",
                 "CNOFF\n5 5 0\n0 0 0 0 0 1 255 0 0 255\n1 0 0\n1 1 0\n0 1 0\n0.5 0.5 0.1\n4 0 3 2 1 0.5 0.5 "
                 "0.5\n3 0 1 4 7\n3 1 2 4\n3 2 3 4\n3 3 0 4\n"));
}

TEST_CASE("errors of OFF files name the line", "[importers]") {
  if (isAbsent()) return;
  const std::string points = "OFF\n5 1 0\n" + pyramidPoints;
  CHECK(errorOf("a.off", "") == "the file is empty");
  CHECK(errorOf("a.off", "OFF\n") == "the file is cut off: its counts are missing");
  CHECK(errorOf("a.off", "solid\n") == "line 1: not an OFF file");
  CHECK(errorOf("a.off", "OFF BINARY\n") == "line 1: binary OFF is not supported");
  CHECK(errorOf("a.off", "4OFF\n1 1 1\n") == "line 1: points of four or n coordinates are not supported");
  CHECK(errorOf("a.off", "OFF\n-5 1 0\n") == "line 2: '-5' is not a count of points");
  CHECK(errorOf("a.off", "OFF\n99999999999 1 0\n0 0 0\n") ==
        "the file is cut off: 1 of 99999999999 points are present");
  CHECK(errorOf("a.off", "OFF\n1 1 0\n0 0\n") == "line 3: a point needs three coordinates");
  CHECK(errorOf("a.off", "OFF\n1 1 0\n0 0 1,5\n") == "line 3: '1,5' is not a number");
  CHECK(errorOf("a.off", "OFF\n1 1 0\n0 0 inf\n") == "line 3: a coordinate is not finite");
  CHECK(errorOf("a.off", points) == "the file is cut off: 0 of 1 faces are present");
  CHECK(errorOf("a.off", points + "3 0 1 5\n") == "line 8: index 5 of 5 points (they count from 0)");
  CHECK(errorOf("a.off", points + "3 0 1 -1\n") == "line 8: '-1' is not an index");
  CHECK(errorOf("a.off", points + "4 0 1 2\n") == "line 8: the face declares 4 corners and has 3");
  CHECK(errorOf("a.off", points + "2 0 1\n") == "holds no triangles");
  CHECK(importText("a.off", points + "3 0 1 2\n3 0 1 3\n").warnings ==
        std::vector<ImportWarning>{
            {"file", "holds 1 more lines than the 1 faces that it declares; geometry may be missing", true}});
}

TEST_CASE("unit, up axis and patches of files without them are the user's", "[importers]") {
  if (isAbsent()) return;
  ReadOptions options;
  options.unit = "in";
  options.upAxis = UpAxis::y;
  options.segmentationAngle = 5;
  const Model model = importText("a.ply", plyText(), options);
  CHECK(model.assembly.unit() == "in");
  CHECK(model.assembly.upAxis() == UpAxis::y);
  CHECK(model.assembly.part(PartId(0)).surfaces().size() == 5);
  CHECK(model.assembly.part(PartId(0)).boundsInPart().max.z == Approx(0.1));  // nothing is turned
}

TEST_CASE("unit and up axis of OSG's formats are the user's", "[importers]") {
  if (!osgImporter()) {
    WARN("skipped: the importer of OSG's formats is absent");
    return;
  }
  ReadOptions options;
  options.unit = "ft";
  options.upAxis = UpAxis::x;
  const Model model =
      importText("a.ac",
                 "AC3Db\nMATERIAL \"m\" rgb 1 0 0 amb 0 0 0 emis 0 0 0 spec 0 0 0 shi 0 trans 0\n"
                 "OBJECT world\nkids 1\nOBJECT poly\nname \"t\"\nnumvert 3\n0 0 0\n1 0 0\n0 1 0\n"
                 "numsurf 1\nSURF 0x30\nmat 0\nrefs 3\n0 0 0\n1 0 0\n2 0 0\nkids 0\n",
                 options);
  CHECK(countsOf(model).triangles == 1);
  CHECK(model.assembly.unit() == "ft");
  CHECK(model.assembly.upAxis() == UpAxis::x);
}

}  // namespace ply_off_tests
