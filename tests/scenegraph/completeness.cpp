// Tests that an examination of its bytes finds what OpenSceneGraph's plugins silently leave out of a file.
#include <algorithm>
#include <functional>
#include <map>

#include <catch2/catch.hpp>
#include <osg/Geode>
#include <osg/ProxyNode>

#include <support/run_program.h>
#include <support/temporary_folder.h>

#include "completeness/unread.h"
#include "hostile_folder.h"
#include "scene_checks.h"

namespace completeness_tests {

#if defined(FITUP_OSG_IMPORTER)
using namespace fitup::importers;
using fitup::test::readText;
using fitup::test::TemporaryFolder;
using fitup::test::writeText;
using osgFitup::test::handWritten;
using osgFitup::test::namedBox;

namespace {

using Scan = void (*)(std::string_view, UnreadLog&);
const std::map<std::string, Scan> scans{{"flt", noteUnreadOpenFlight}, {"ac", noteUnreadAc3d},
                                        {"dxf", noteUnreadDxf},        {"iv", noteUnreadInventor},
                                        {"wrl", noteUnreadInventor},   {"lwo", noteUnreadLightWave},
                                        {"dae", noteUnreadCollada},    {"osg", noteUnreadOldOsg}};

/// Returns "element: message" of each warning; incomplete ones begin with an exclamation mark.
std::string saidOf(const std::string& extension, std::string_view text) {
  UnreadLog log;
  scans.at(extension)(text, log);
  std::string said;
  for (const auto& w : log.warnings())
    said += (w.incomplete ? "! " : "") + w.element + ": " + w.message + "\n";
  return said;
}

const std::string ac = R"(AC3Db
MATERIAL "grey {" rgb 1 1 1 amb 1 1 1 emis 0 0 0 spec 0 0 0 shi 0 trans 0
OBJECT world
kids 2
OBJECT poly
name "a part"
data 4
kids
loc 1 2 3
numvert 3
0 0 0
1 0 0
0 1e-1 0
numsurf 1
SURF 0x20
mat 0
refs 3
0 0 0
1 0 0
2 0 0
kids 0
OBJECT group
kids 0
)";

std::string writtenByOsg(const std::string& extension) {
  const TemporaryFolder folder;
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(namedBox("a", {}));
  root->addChild(namedBox("b", {1, 2, 3}));
  osgFitup::test::writeScene(*root, folder / ("scene." + extension));
  return readText(folder / ("scene." + extension));
}

/// Returns a valid file of each kind.
std::string whole(const std::string& extension) {
  if (extension == "ac") return ac;
  if (extension == "flt" || extension == "dxf" || extension == "osg") return writtenByOsg(extension);
  return handWritten(extension);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

fitup::test::ProgramResult checkedIn(const TemporaryFolder& folder, const std::string& file) {
  fitup::test::RunOptions options;
  options.folder = folder.path();
  return fitup::test::runProgram(FITUP_PROGRAM, {"check", file, "--no-cache", "-q"}, options);
}

}  // namespace

TEST_CASE("sound files of each format lack nothing, and lack something wherever they are cut off") {
  for (const auto& [extension, scan] : scans) {
    INFO(extension);
    const std::string text = whole(extension);
    CHECK(saidOf(extension, text) == "");
    // The rest after the last necessary byte may be missing; a file that ends before the first node holds
    // nothing.
    const std::size_t needed = text.find_last_not_of(" \t\r\n") + 1;
    const bool hasBraces = extension == "iv" || extension == "wrl" || extension == "osg";
    const std::size_t first = extension == "dae" ? text.find("<COLLADA") + 1
                              : hasBraces        ? text.find('{') + 1
                                                 : 0;
    // VRML has any number of nodes at the top; the last one here draws nothing.
    const std::size_t lastNode = extension == "wrl" ? text.find("Script {") + 8 : 0;
    for (std::size_t size = first; size < needed; ++size) {
      if (size < lastNode && size >= text.find("\nScript")) continue;
      INFO(size << " of " << needed);
      if (!saidOf(extension, std::string_view(text).substr(0, size)).starts_with("! "))
        FAIL_CHECK("nothing is reported");
    }
  }
}

TEST_CASE("changed bytes are looked at in bounds") {
  std::uint32_t state = 7;
  const auto random = [&] { return state = state * 1664525U + 1013904223U, state >> 8U; };
  for (const auto& [extension, scan] : scans) {
    const std::string text = whole(extension);
    std::size_t reported = 0;
    for (int round = 0; round < 300; ++round) {
      std::string changed = text;
      for (int i = 0; i < 3; ++i) changed[random() % changed.size()] = static_cast<char>(random());
      reported += saidOf(extension, changed).empty() ? 0 : 1;
    }
    INFO(extension);
    CHECK(reported > 0);
  }
}

TEST_CASE("records of OpenFlight that are not read, or lead nowhere, are named") {
  const std::string text = whole("flt");
  const auto number = [&](std::size_t at) {
    return static_cast<unsigned char>(text[at]) * 256U + static_cast<unsigned char>(text[at + 1]);
  };
  const std::size_t behindHeader = number(2);
  const auto with = [&](const std::string& record) { return std::string(text).insert(behindHeader, record); };
  CHECK_THAT(saidOf("flt", with(std::string("\0\x73\0\x08\0\0\0\0", 8))),
             Catch::Contains("! record of kind 115 (continuously adaptive terrain): not read"));
  CHECK_THAT(saidOf("flt", with(std::string("\0\x3d\0\x08\0\0\0\x05", 8))),
             Catch::Contains("! instance: left out"));
  CHECK_THAT(saidOf("flt", with(std::string("\0\x48\0\x08\0\0\0\x05", 8))),
             Catch::Contains("! face: a corner"));
  CHECK(saidOf("flt", with(std::string("\0\x1f\0\x08word", 8))) == "");  // a comment
  CHECK(saidOf("flt", text + std::string(12, '\0')) == "");
  CHECK_THAT(saidOf("flt", text + std::string("\0\x02\0\x04", 4)),
             Catch::Contains("continues after its"));
}

TEST_CASE("what counts of AC3D announce and the file lacks is reported") {
  CHECK_THAT(saidOf("ac", replaced(ac, "kids 2", "kids 3")), Catch::Contains("an object is missing"));
  CHECK_THAT(saidOf("ac", replaced(ac, "kids 2", "kids 1")), Catch::Contains("continues after its"));
  CHECK_THAT(saidOf("ac", replaced(ac, "numsurf 1", "numsurf 2")), Catch::Contains("fewer surfaces"));
  CHECK_THAT(saidOf("ac", replaced(ac, "mat 0\n", "")), Catch::Contains("without a material"));
  CHECK_THAT(saidOf("ac", replaced(ac, "mat 0", "mat 1")), Catch::Contains("material does not exist"));
  CHECK_THAT(saidOf("ac", replaced(ac, "2 0 0", "3 0 0")), Catch::Contains("corner that does not exist"));
  CHECK_THAT(saidOf("ac", replaced(ac, "SURF 0x20", "SURF 0x23")), Catch::Contains("unknown kind"));
  CHECK_THAT(saidOf("ac", replaced(ac, "numvert", "subdiv 2\nnumvert")), Catch::Contains("subdivision"));
}

TEST_CASE("entities of DXF that have an area and are not read are named, lines are not") {
  const auto with = [](const std::string& entities) {
    return "0\nSECTION\n2\nBLOCKS\n0\nBLOCK\n2\nbolt\n0\n3DFACE\n8\n0\n0\nENDBLK\n0\nENDSEC\n0\nSECTION\n2\nE"
           "NTITIES\n" +
           entities + "0\nENDSEC\n0\nEOF\n";
  };
  for (const std::string kind :
       {"3DSOLID", "BODY", "REGION", "SURFACE", "MESH", "SOLID", "TRACE", "ACAD_PROXY_ENTITY"})
    CHECK_THAT(saidOf("dxf", with("0\n" + kind + "\n8\n0\n0\n" + kind + "\n")),
               Catch::Contains("! " + kind + " entity: not read by OpenSceneGraph, 2 times"));
  for (const std::string kind : {"LINE", "MTEXT", "DIMENSION", "SPLINE", "ELLIPSE", "3DFACE", "LWPOLYLINE"})
    CHECK(saidOf("dxf", with("0\n" + kind + "\n8\n0\n")) == "");
  CHECK_THAT(saidOf("dxf", with("0\nLINE\n39\n2.5\n")), Catch::Contains("! LINE entity: its thickness"));
  CHECK(saidOf("dxf", with("0\nINSERT\n2\nbolt\n")) == "");
  CHECK_THAT(saidOf("dxf", with("0\nINSERT\n2\nnut\n")), Catch::Contains("! INSERT entity: left out"));
  CHECK_THAT(saidOf("dxf", with("0\nINSERT\n2\nbolt\n70\n3\n")), Catch::Contains("rows and columns"));
  CHECK(saidOf("dxf", with("0\nPOLYLINE\n66\n1\n70\n64\n0\nVERTEX\n0\nSEQEND\n")) == "");
  CHECK_THAT(saidOf("dxf", with("0\nPOLYLINE\n70\n64\n0\nVERTEX\n0\nSEQEND\n")),
             Catch::Contains("its vertices are not declared"));
  CHECK_THAT(saidOf("dxf", with("0\nPOLYLINE\n66\n1\n70\n49\n0\nSEQEND\n")),
             Catch::Contains("closed in both directions"));
  CHECK_THAT(saidOf("dxf", replaced(with(""), "EOF", "")), Catch::Contains("has no end"));
}

TEST_CASE("nodes that Inventor and VRML have not are named, but for those that a file defines") {
  const std::string head = "#VRML V2.0 utf8\n";
  CHECK(saidOf("wrl", head + "PROTO Bolt [ field SFFloat d 1 ] { Shape { } } # a brace {\nBolt { d 2 }\n"
                             "WorldInfo { title \"} \\\" {\" }\n") == "");
  CHECK_THAT(saidOf("wrl", head + "Bolt { }\nBolt { }\n"),
             Catch::Contains("! Bolt: not read: unknown node, 2 times"));
  CHECK_THAT(saidOf("wrl", head + "EXTERNPROTO Bolt [ ] \"bolt.wrl\"\nBolt { }"),
             Catch::Contains("EXTERNPROTO Bolt"));
  CHECK_THAT(saidOf("iv", "#Inventor V2.1 binary\n"), Catch::Contains("! file: is binary"));
  CHECK_THAT(saidOf("iv", "#Inventor V2.1 ascii\nText3 { string \"a\" }\n"), Catch::Contains("! Text3"));
}

TEST_CASE("patches of LightWave, splines of COLLADA and classes that osgDB has not are named") {
  const std::string lwo = handWritten("lwo"), dae = handWritten("dae"), osg = whole("osg");
  CHECK_THAT(saidOf("lwo", replaced(lwo, "POLS", "POLS").replace(lwo.find("FACE"), 4, "PTCH")),
             Catch::Contains("! polygons of the kind PTCH"));
  CHECK_THAT(saidOf("lwo", replaced(lwo, "LWO2", "LWO3")), Catch::Contains("of a kind that"));
  CHECK_THAT(saidOf("dae", replaced(dae, "<triangles", "<polygons><ph></ph></polygons><triangles")),
             Catch::Contains("! <ph>: not read"));
  CHECK_THAT(saidOf("dae", replaced(dae, "<geometry id=\"g\">",
                                    "<geometry><spline/></geometry><geometry id=\"g\">")),
             Catch::Contains("! <spline>: not read"));
  std::string wide = "\xff\xfe";
  for (const char c : dae) wide += {c, '\0'};
  CHECK(saidOf("dae", wide) == "");
  CHECK_THAT(saidOf("dae", wide.substr(0, wide.size() / 2)), Catch::Contains("is cut off"));
  CHECK_THAT(saidOf("osg", replaced(osg, "MatrixTransform {", "Wheel {")),
             Catch::Contains("! Wheel: not read: osgDB has no such class"));
}

TEST_CASE("the command line reports what a plugin has left out of a file, and of one that is referred to") {
  const TemporaryFolder folder;
  writeText(folder / "more.ac", replaced(replaced(ac, "kids 2", "kids 1"), "0 1e-1 0", "0 1 0"));
  const auto own = checkedIn(folder, "more.ac");
  INFO(own.text());
  CHECK(own.exitCode == 3);
  CHECK_THAT(own.text(), Catch::Contains("file: continues after its first object"));

  // Strips of triangles, which OpenSceneGraph's reader of PLY does not know.
  const std::string ply = R"(ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
element face 1
property list uchar int vertex_indices
element tristrips 1
property list uchar int vertex_indices
end_header
0 0 0
1 0 0
0 1 0
0 0 1
3 0 1 2
4 0 1 2 3
)";
  writeText(folder / "strips.ply", ply);
  writeText(folder / "plain.ply",
            replaced(replaced(ply, "element tristrips 1\nproperty list uchar int vertex_indices\n", ""),
                     "4 0 1 2 3\n", ""));
  for (const std::string name : {"more.ac", "strips.ply", "plain.ply"}) {
    const osg::ref_ptr<osg::Group> root = new osg::Group;
    const osg::ref_ptr<osg::ProxyNode> proxy = new osg::ProxyNode;
    root->addChild(namedBox("own", {9, 9, 9}));
    proxy->setFileName(0, name);
    root->addChild(proxy);
    osgFitup::test::writeScene(*root, folder / "outer.osgt");
    const auto outer = checkedIn(folder, "outer.osgt");
    INFO(name << outer.text());
    CHECK(outer.exitCode == (name == "plain.ply" ? 0 : 3));
    if (name == "strips.ply")
      CHECK_THAT(outer.text(), Catch::Contains("OpenSceneGraph reads 1 of its triangles, but it has 3"));
    if (name == "more.ac") CHECK_THAT(outer.text(), Catch::Contains("external file more.ac: file: continues"));
  }
}
#endif

}  // namespace completeness_tests
