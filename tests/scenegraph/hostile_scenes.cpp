// Tests scenes that try to run, fetch, unpack or load something, or that reach for files elsewhere, by the
// command line in the folder that they came in.
#include <algorithm>
#include <sstream>

#include <catch2/catch.hpp>
#include <osg/Image>
#include <osg/PagedLOD>
#include <osg/ProxyNode>
#include <osg/Switch>
#include <osg/Texture2D>
#include <osgDB/WriteFile>
#include <osgText/Text>

#include "hostile_folder.h"
#include "scene_checks.h"

namespace hostile_scenes_tests {

#if defined(FITUP_OSG_IMPORTER)
using fitup::test::ProgramResult;
using fitup::test::readText;
using fitup::test::writeText;
using osgFitup::test::HostileFolder;
using osgFitup::test::namedBox;
using osgFitup::test::writeScene;

namespace {

using Names = std::vector<std::string>;

/// Formats that osgDB writes with references in them.
const Names formatsOfOsg{"osgt", "osgb", "osgx", "osg", "ive", "flt"};

/// Makes a box beside one reference each: a proxy, or a paged level of detail.
osg::ref_ptr<osg::Group> boxAndReferences(const Names& references, bool immediate, bool paged = false) {
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(namedBox("own", {}));
  for (const std::string& name : references) {
    if (paged) {
      const osg::ref_ptr<osg::PagedLOD> levels = new osg::PagedLOD;
      levels->setFileName(0, name);
      levels->setRange(0, 0, 1e9F);
      root->addChild(levels);
      continue;
    }
    const osg::ref_ptr<osg::ProxyNode> proxy = new osg::ProxyNode;
    proxy->setLoadingExternalReferenceMode(immediate ? osg::ProxyNode::LOAD_IMMEDIATELY
                                                     : osg::ProxyNode::DEFER_LOADING_TO_DATABASE_PAGER);
    proxy->setFileName(0, name);
    root->addChild(proxy);
  }
  return root;
}

Names joined(Names first, const Names& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

ProgramResult infoOf(const HostileFolder& folder, const std::string& file) {
  return folder.run(FITUP_PROGRAM, {"info", file, "--no-cache", "--verbose"});
}
ProgramResult checkOf(const HostileFolder& folder, const std::string& file) {
  return folder.run(FITUP_PROGRAM, {"check", file, "--no-cache", "-q", "--verbose"});
}

/// As `info` counts them.
std::size_t trianglesIn(const ProgramResult& info) {
  std::istringstream text(info.out.substr(std::min(info.out.find("  triangles"), info.out.size())));
  std::string word;
  std::size_t count = 0;
  text >> word >> count;
  return count;
}

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size(), ++count)
    text.replace(at, from.size(), to);
  REQUIRE(count > 0);
}

/// Writes a scene of a box and a node of a class that OSG does not have.
void writeUnknownClass(const HostileFolder& folder, const std::string& file, const std::string& library) {
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(namedBox("own", {}));
  root->addChild(new osg::Switch);
  writeScene(*root, folder / file);
  std::string text = readText(folder / file);
  const bool isXml = file.ends_with(".osgx"), isOld = file.ends_with(".osg");
  // Names of equal length, which binary files store: "evil::Thing" and "a/b::Switch".
  const std::string name = library == "evil" ? "Thing" : "Switch";
  replaceAll(text,
             isXml   ? "osg--Switch"
             : isOld ? "Switch {"
                     : "osg::Switch",
             library + (isXml ? "--" : "::") + name + (isOld ? " {" : ""));
  writeText(folder / file, text);
}

}  // namespace

TEST_CASE("references of a scene run, fetch, unpack and load nothing, and reach for nothing elsewhere") {
  HostileFolder folder;
  const Names forbidden = folder.forbiddenReferences();
  const std::string kind = GENERATE("immediate", "deferred", "paged");
  for (const std::string& extension : formatsOfOsg) {
    if (kind == "paged" && extension == "flt") continue;  // the format has no such node
    INFO(extension << ", " << kind);
    const std::string file = "hostile." + extension;
    writeScene(*boxAndReferences(joined({"near.osgb"}, forbidden), kind == "immediate", kind == "paged"),
               folder / file);
    const ProgramResult info = infoOf(folder, file), check = checkOf(folder, file);
    INFO(info.text());
    CHECK(folder.damage() == "");
    CHECK(info.exitCode == 3);
    CHECK(check.exitCode == (extension == "flt" ? 1 : 3));  // a part for each face of the box
    CHECK(trianglesIn(info) == 24);                         // its own, and the file that it may refer to
    for (const std::string& name : forbidden) {
      CHECK_THAT(info.out + info.err, Catch::Contains("missing: external file " + name + ": "));
      CHECK_THAT(check.out + check.err, Catch::Contains("external file " + name + ": "));
    }
  }
}

TEST_CASE("classes that a scene names load no library that is not listed") {
  HostileFolder folder;
  for (const std::string extension : {"osgt", "osgb", "osgx", "osg"})
    for (const std::string library : {"evil", "a/b"}) {
      if (library == "a/b" && extension == "osgx") continue;  // not XML
      INFO(extension << " " << library);
      const std::string file = "classes." + extension;
      writeUnknownClass(folder, file, library);
      for (const ProgramResult& result : {infoOf(folder, file), checkOf(folder, file)}) {
        INFO(result.text());
        CHECK(folder.damage() == "");
        CHECK(result.exitCode >= 2);
        CHECK_THAT(result.out + result.err, Catch::Contains("classes of " + library + ": not read: "));
      }
    }
}

TEST_CASE("compressors and images that a scene names load no library that is not listed") {
  HostileFolder folder;
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(namedBox("own", {}));
  const osg::ref_ptr<osgDB::Options> compressed = new osgDB::Options("Compressor=zlib");
  REQUIRE(osgDB::writeNodeFile(*root, (folder / "compressed.osgb").string(), compressed.get()));
  std::string text = readText(folder / "compressed.osgb");
  replaceAll(text, "zlib", "evil");
  writeText(folder / "compressed.osgb", text);
  const ProgramResult refused = infoOf(folder, "compressed.osgb");
  INFO(refused.text());
  CHECK(folder.damage() == "");
  CHECK(refused.exitCode == 2);

  // An image within the scene, to be read by the plugin of its name's extension. It is not geometry.
  writeText(folder / "pixel.evil", "pixel");
  const osg::ref_ptr<osg::Image> image = new osg::Image;
  image->allocateImage(1, 1, 1, GL_RGB, GL_UNSIGNED_BYTE);
  image->setFileName((folder / "pixel.evil").string());
  const osg::ref_ptr<osg::Texture2D> texture = new osg::Texture2D(image);
  root->getOrCreateStateSet()->setTextureAttribute(0, texture);
  const osg::ref_ptr<osgDB::Options> included =
      new osgDB::Options("WriteImageHint=IncludeFile includeImageFileInIVEFile");
  for (const std::string extension : {"osgb", "osgt", "osgx", "ive"}) {
    INFO(extension);
    REQUIRE(osgDB::writeNodeFile(*root, (folder / ("textured." + extension)).string(), included.get()));
    const ProgramResult info = infoOf(folder, "textured." + extension);
    INFO(info.text());
    CHECK(folder.damage() == "");
    CHECK(info.exitCode == 0);
    CHECK(trianglesIn(info) == 12);
  }
}

TEST_CASE("fonts of texts are not looked for outside of the scene's folder") {
  HostileFolder folder;
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(namedBox("own", {}));
  const osg::ref_ptr<osgText::Text> label = new osgText::Text;
  label->setText("label");
  root->addChild(label);
  for (const std::string font :
       {"run.lua", "x.evil", "Arial", "../outside.ttf", "/usr/share/fonts/a.ttf", "http"}) {
    writeScene(*root, folder / "text.osgt");
    std::string text = readText(folder / "text.osgt");
    const std::string name = font == "http" ? "http://" + folder.address() + "/a.ttf" : font;
    replaceAll(text, "FontSize ", "Font \"" + name + "\"\nFontSize ");
    writeText(folder / "text.osgt", text);
    const ProgramResult info = infoOf(folder, "text.osgt");
    INFO(name << "\n" << info.text());
    CHECK(folder.damage() == "");
    CHECK(info.exitCode == 0);
    CHECK(trianglesIn(info) == 12);
  }
}

TEST_CASE("textures of Inventor and VRML are no geometry, wherever they lie") {
  HostileFolder folder;
  writeText(folder / "inside.png", "no image");
  writeText(folder.outside("outside.png"), "no image");
  for (const std::string name : {"inside.png", "../outside.png", "nowhere.png", "http://127.0.0.1/a.png"}) {
    INFO(name);
    const std::string inventor = osgFitup::test::handWritten("iv"), vrml = osgFitup::test::handWritten("wrl");
    writeText(folder / "textured.iv",
              inventor.substr(0, inventor.rfind('}')) + "Texture2 { filename \"" + name + "\" } }\n");
    writeText(folder / "textured.wrl",
              vrml + "Shape { appearance Appearance { texture ImageTexture { url \"" + name + "\" } } }\n");
    for (const std::string file : {"textured.iv", "textured.wrl"}) {
      const ProgramResult info = infoOf(folder, file);
      INFO(file << "\n" << info.text());
      CHECK(folder.damage() == "");
      CHECK(info.exitCode == 0);
      CHECK(trianglesIn(info) == 2);
    }
  }
}

TEST_CASE("Inventor, VRML, COLLADA and LightWave read what lies in the scene's folder, and nothing else") {
  HostileFolder folder;
  std::filesystem::create_directory(folder / "below");
  for (const std::string extension : {"iv", "wrl", "dae", "lwo"}) {
    writeText(folder / ("below/inner." + extension), osgFitup::test::handWritten(extension));
    writeText(folder.outside("outside." + extension), osgFitup::test::handWritten(extension));
    std::filesystem::create_symlink("../outside." + extension, folder / ("link." + extension));
  }
  for (const std::string extension : {"iv", "wrl", "dae"}) {
    INFO(extension);
    const auto file = [&](const std::string& stem) { return stem + "." + extension; };
    writeText(folder / file("honest"), osgFitup::test::handWritten(extension, {file("below/inner")}));
    const ProgramResult honest = infoOf(folder, file("honest"));
    INFO(honest.text());
    CHECK(honest.exitCode == 0);
    CHECK(trianglesIn(honest) == 4);

    const Names outside{file("../outside"), folder.outside(file("outside")).string(), file("link"),
                        "http://" + folder.address() + "/" + file("a")};
    for (const std::string& name : outside) {
      INFO(name);
      writeText(folder / file("hostile"),
                osgFitup::test::handWritten(extension, {file("below/inner"), name}));
      const std::string named = !name.starts_with("http") ? file(name == file("link") ? "link" : "outside")
                                : extension == "dae"      ? "geometry http://127.0.0.1/a.dae#g"
                                                          : name;
      const ProgramResult info = infoOf(folder, file("hostile")), check = checkOf(folder, file("hostile"));
      INFO(info.text() << check.text());
      CHECK(folder.damage() == "");
      CHECK(info.exitCode == 3);
      CHECK(trianglesIn(info) == 4);
      CHECK(check.exitCode == (extension == "dae" ? 1 : 3));  // its two parts are in the same place
      for (const ProgramResult& result : {info, check})
        CHECK_THAT(result.out + result.err, Catch::Contains("missing: ") && Catch::Contains(named));
    }
  }

  writeText(folder / "honest.lws", osgFitup::test::lightWaveScene({"below/inner.lwo"}));
  const ProgramResult lightWave = infoOf(folder, "honest.lws");
  CHECK(lightWave.exitCode == 3);  // it is unknown how much of such a scene OSG's plugin follows
  CHECK(trianglesIn(lightWave) == 2);
  for (const std::string& name : joined(folder.forbiddenReferences(), {"../outside.lwo", "link.lwo"})) {
    writeText(folder / "hostile.lws", osgFitup::test::lightWaveScene({"below/inner.lwo", name}));
    const ProgramResult info = infoOf(folder, "hostile.lws");
    INFO(name << "\n" << info.text());
    CHECK(folder.damage() == "");
    CHECK(info.exitCode == 2);  // without an object its plugin returns nothing
    if (name.find(".lwo") != std::string::npos)
      CHECK_THAT(info.err, Catch::Contains("external file " + name + ": not read: it is outside"));
  }
}

TEST_CASE("an absolute path into its own folder leads a file of Inventor nowhere: that is no copy") {
  HostileFolder folder;
  writeText(folder / "inner.iv", osgFitup::test::handWritten("iv"));
  const std::string absolute = (folder / "inner.iv").string();
  writeText(folder / "outer.iv", osgFitup::test::handWritten("iv", {absolute}));
  const ProgramResult info = infoOf(folder, "outer.iv");
  INFO(info.text());
  CHECK(info.exitCode == 3);
  CHECK(trianglesIn(info) == 2);
  CHECK_THAT(info.out + info.err, Catch::Contains("missing: ") && Catch::Contains("inner.iv"));
}

TEST_CASE("nodes that Inventor has not are named and load nothing") {
  HostileFolder folder;
  const std::string inventor = osgFitup::test::handWritten("iv");
  writeText(folder / "evil.iv",
            inventor.substr(0, inventor.rfind('}')) + "Evil { fields [ SFFloat size ] size 1 } }\n");
  const ProgramResult info = infoOf(folder, "evil.iv");
  INFO(info.text());
  CHECK(folder.damage() == "");
  CHECK(info.exitCode == 3);
  CHECK(trianglesIn(info) == 2);
  CHECK_THAT(info.out + info.err, Catch::Contains("missing: Evil: not read: unknown node"));
}

TEST_CASE("files of Inventor that refer to themselves end, and are said to be incomplete") {
  HostileFolder folder;
  writeText(folder / "self.iv", osgFitup::test::handWritten("iv", {"self.iv"}));
  const ProgramResult info = infoOf(folder, "self.iv");
  INFO(info.text());
  CHECK(info.exitCode == 3);
  CHECK_THAT(info.out + info.err, Catch::Contains("external file self.iv: could not be opened"));
  writeText(folder / "inline.wrl",
            "#VRML V1.0 ascii\nSeparator { Coordinate3 { point [ 0 0 0, 1 0 0, 0 1 0 ] } "
            "IndexedFaceSet { coordIndex [ 0,1,2,-1 ] } WWWInline { name \"near.osgb\" } }\n");
  CHECK(infoOf(folder, "inline.wrl").exitCode == 3);
}

TEST_CASE("each format that is listed is read, by itself and by reference") {
  const HostileFolder folder;
  std::filesystem::create_directory(folder / "models");
  const osg::ref_ptr<osg::Node> box = namedBox("box", {});
  for (const std::string extension :
       {"osgt", "osgb", "osgx", "osg", "ive", "dxf", "flt", "obj", "stl", "3ds", "fitup"})
    writeScene(*box, folder / ("models/part." + extension));
  for (const std::string extension : {"iv", "wrl", "dae", "lwo"})
    writeText(folder / ("models/part." + extension), osgFitup::test::handWritten(extension));
  writeText(folder / "models/part.lws", osgFitup::test::lightWaveScene({"part.lwo"}));
  writeText(folder / "models/part.ply", R"(ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
element face 2
property list uchar int vertex_indices
end_header
0 0 0
1 0 0
0 1 0
0 0 1
3 0 1 2
3 0 1 3
)");
  writeText(folder / "models/part.ac", R"(AC3Db
MATERIAL "grey" rgb 1 1 1 amb 1 1 1 emis 0 0 0 spec 0 0 0 shi 0 trans 0
OBJECT world
kids 1
OBJECT poly
name "part"
numvert 4
0 0 0
1 0 0
0 1 0
0 0 1
numsurf 2
SURF 0x20
mat 0
refs 3
0 0 0
1 0 0
2 0 0
SURF 0x20
mat 0
refs 3
0 0 0
1 0 0
3 0 0
kids 0
)");
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "models")) {
    const std::string name = "models/" + entry.path().filename().string(),
                      extension = entry.path().extension();
    if (extension == ".mtl") continue;
    INFO(name);
    ++files;
    const ProgramResult alone = infoOf(folder, name);
    INFO(alone.text());
    const int exitCode = extension == ".lws" ? 3 : 0;
    CHECK(alone.exitCode == exitCode);
    const Names flat{".ac", ".ply", ".iv", ".wrl", ".dae", ".lwo", ".lws"};
    const std::size_t own = std::find(flat.begin(), flat.end(), extension) != flat.end() ? 2
                            : extension == ".dxf"                                        ? 24  // quads
                                                                                         : 12;
    CHECK(trianglesIn(alone) == own);
    writeScene(*boxAndReferences({name}, true), folder / "outer.osgb");
    const ProgramResult referred = infoOf(folder, "outer.osgb");
    INFO(referred.text());
    CHECK(referred.exitCode == exitCode);
    CHECK(trianglesIn(referred) == 12 + own);
  }
  CHECK(files == 18);
}

TEST_CASE("scenes that contain themselves, are too deep or multiply by sharing are refused at once") {
  const HostileFolder folder;
  const auto problemOf = [&](const std::string& file) {
    const ProgramResult info = infoOf(folder, file);
    INFO(info.text());
    CHECK(info.exitCode == 2);
    return info.err;
  };
  osg::ref_ptr<osg::Group> deep = new osg::Group, many = new osg::Group;
  for (const auto& scene : {deep, many}) scene->addChild(namedBox("box", {}));
  for (int level = 0; level < 600; ++level) {
    const osg::ref_ptr<osg::Group> above = new osg::Group;
    above->addChild(deep);
    deep = above;
  }
  for (int level = 0; level < 40; ++level) {
    const osg::ref_ptr<osg::Group> above = new osg::Group;
    above->addChild(many);
    above->addChild(many);
    many = above;
  }
  writeScene(*deep, folder / "deep.osgb");
  CHECK_THAT(problemOf("deep.osgb"), Catch::Contains("refused: the scene is nested deeper than"));
  writeScene(*many, folder / "many.osgb");
  CHECK_THAT(problemOf("many.osgb"), Catch::Contains("nodes are shared"));

  // Replaces the switch by the root, which makes a cycle: osgDB knows objects by number before reading them.
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(namedBox("box", {}));
  root->addChild(new osg::Switch);
  writeScene(*root, folder / "cycle.osgt");
  std::string text = readText(folder / "cycle.osgt");
  const std::size_t at = text.find("osg::Switch"), end = text.find('\n', text.find("UniqueID", at));
  REQUIRE(end != std::string::npos);
  text.replace(at, end - at, "osg::Group {\n      UniqueID 1 ");
  writeText(folder / "cycle.osgt", text);
  CHECK_THAT(problemOf("cycle.osgt"), Catch::Contains("or contains itself"));
}

TEST_CASE(
    "hostile scenes, watched by the system: no program, connection, library or written file but its own") {
  HostileFolder folder;
#if defined(FITUP_SANITIZED)
  WARN("skipped: sanitizers do not work in traced programs");
  return;
#endif
  if (std::string_view(FITUP_STRACE).empty() ||
      folder.run(FITUP_STRACE, {"-f", "-o", "/dev/null", FITUP_PROGRAM, "--version"}, false).exitCode != 0) {
    WARN("skipped: strace is not there, or may not trace");
    return;
  }
  Names files;
  for (const std::string& extension : formatsOfOsg) {
    writeScene(*boxAndReferences(folder.forbiddenReferences(), true), folder / ("hostile." + extension));
    files.push_back("hostile." + extension);
    if (extension == "ive" || extension == "flt") continue;
    writeUnknownClass(folder, "classes." + extension, "evil");
    files.push_back("classes." + extension);
  }
  for (const std::string extension : {"iv", "wrl", "dae"}) {
    writeText(folder.outside("outside." + extension), osgFitup::test::handWritten(extension));
    writeText(folder / ("hostile." + extension),
              osgFitup::test::handWritten(extension, {"../outside." + extension, "x.zae", "run.lua",
                                                      "http://" + folder.address() + "/a." + extension}));
    files.push_back("hostile." + extension);
  }
  writeText(folder / "hostile.lws", osgFitup::test::lightWaveScene({"run.lua"}));
  files.push_back("hostile.lws");

  const std::filesystem::path own = FITUP_OSG_LIBRARY_PATH;  // including the place in an installation
  const std::string trace = (folder.temporaryFiles() / "trace").string();
  for (const std::string& file : files) {
    INFO(file);
    const ProgramResult result =
        folder.run(FITUP_STRACE,
                   {"-f", "-y", "-s", "4096", "-o", trace, "-e",
                    "trace=execve,execveat,socket,connect,open,openat,openat2,creat,mkdir,mkdirat",
                    FITUP_PROGRAM, "check", file, "--no-cache", "-q"},
                   false);
    INFO(result.text());
    CHECK(result.exitCode >= 1);
    std::size_t importers = 0, libraries = 0;
    std::istringstream lines(readText(trace));
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      const auto holds = [&](std::string_view part) { return line.find(part) != std::string::npos; };
      const std::size_t quote = line.find('"');
      std::filesystem::path path =
          quote == std::string::npos ? "" : line.substr(quote + 1, line.find('"', quote + 1) - quote - 1);
      // The path of an open folder that a call names: strace prints it, before or after.
      const auto placeAt = [&](std::size_t from) {
        const std::size_t begin = line.find('<', from);
        return begin == std::string::npos ? "" : line.substr(begin + 1, line.find('>', begin) - begin - 1);
      };
      if (path.string().starts_with("/proc/self/fd/"))
        path = placeAt(line.rfind(" = "));
      else if (path.is_relative() && holds("mkdirat(") && !holds("mkdirat(AT_FDCWD"))
        path = std::filesystem::path(placeAt(0)) / path;
      const auto isBelow = [&](const std::filesystem::path& place) {
        const std::string text = path.lexically_normal().string(), start = place.lexically_normal().string();
        return text.starts_with(start + "/");
      };
      if (holds("execve")) {
        const bool isImporter = path.filename() == "fitup-import-osg";
        importers += isImporter ? 1 : 0;
        CHECK((isImporter || path == FITUP_PROGRAM));
      }
      CHECK_FALSE((holds("socket(") || holds("connect(")));
      if (holds("O_WRONLY") || holds("O_RDWR") || holds("O_CREAT") || holds("creat(") || holds("mkdir"))
        CHECK((isBelow(folder.temporaryFiles()) || path == "/dev/null" || path == "/dev/tty"));
      if (path.string().find(".so") == std::string::npos || !(holds("open"))) continue;
      ++libraries;
      CHECK((isBelow("/lib") || isBelow("/lib64") || isBelow("/usr/lib") || isBelow("/usr/lib64") ||
             isBelow("/usr/local/lib") || isBelow(own) || isBelow(own / "../../lib") ||
             path == "/etc/ld.so.cache" || path == "/etc/ld.so.preload"));
    }
    CHECK(importers == 1);
    CHECK(libraries > 10);
    CHECK(folder.damage() == "");
  }
}
#endif

}  // namespace hostile_scenes_tests
