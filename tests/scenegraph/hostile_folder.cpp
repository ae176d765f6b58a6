#include "hostile_folder.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <stdexcept>

#include <catch2/catch.hpp>
#include <osg/Geode>
#include <osgDB/WriteFile>

#include "scene_checks.h"

namespace osgFitup::test {

namespace fs = std::filesystem;

HostileFolder::HostileFolder() {
  fs::create_directories(scenes());
  fs::create_directories(temporaryFiles());
  // The places where osgDB and Coin look for a library of "evil", "a/b" and "Evil".
  for (const std::string place :
       {"libevil.so", "liba/b.so", "osgPlugins-3.6.5/osgdb_evil.so",
        "osgPlugins-3.6.5/osgdb_serializers_evil.so", "osgPlugins-3.6.5/osgdb_deprecated_evil.so",
        "osgPlugins-3.6.5/osgdb_compressor_evil.so", "osgPlugins-3.6.5/osgdb_a/b.so", "Evil.so",
        "libEvil.so"}) {
    fs::create_directories((*this / place).parent_path());
    fs::copy_file(FITUP_CANARY_LIBRARY, *this / place);
  }
  fitup::test::writeText(*this / "run.lua",
                         "local f = io.open(os.getenv('FITUP_TEST_CANARY'), 'w')\nf:close()\n");
  fitup::test::writeText(*this / "x;>$FITUP_TEST_CANARY;.tgz", "no archive");
  writeScene(*namedBox("near", {4, 0, 0}), *this / "near.osgb");
  writeScene(*namedBox("outside", {8, 0, 0}), outside("outside.osgb"));
  fs::create_symlink("../outside.osgb", *this / "link.osgb");
  fs::create_directory_symlink("..", *this / "linked");

  server_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  sockaddr_in loopback{};
  loopback.sin_family = AF_INET;
  loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (server_ < 0 || ::bind(server_, reinterpret_cast<const sockaddr*>(&loopback), sizeof loopback) != 0 ||
      ::listen(server_, 100) != 0)
    throw std::runtime_error("cannot listen on the loopback address");
}

HostileFolder::~HostileFolder() { ::close(server_); }

std::string HostileFolder::address() const {
  sockaddr_in bound{};
  socklen_t size = sizeof bound;
  ::getsockname(server_, reinterpret_cast<sockaddr*>(&bound), &size);
  return "127.0.0.1:" + std::to_string(ntohs(bound.sin_port));
}

std::vector<std::string> HostileFolder::forbiddenReferences() const {
  return {"http://" + address() + "/a.osgt",
          "http://" + address() + "/a.osgt.curl",
          "run.lua",
          "x;>$FITUP_TEST_CANARY;.tgz",
          "near.osgb.0,0,1.trans",
          "near.osgb.90,0,0.rot",
          "near.osgb.2,2,2.scale",
          "x.osgs",
          "near.osgb.gz",
          "models.osga",
          "models.osga/near.osgb",
          "x.p3d",
          "x.net",
          "x.evil",
          "x.a/b",
          "../outside.osgb",
          outside("outside.osgb").string(),
          "link.osgb",
          "linked/outside.osgb"};
}

std::string HostileFolder::damage() {
  std::string text;
  if (fs::remove(outside("canary"))) text += "something ran; ";
  for (int connection = 0; (connection = ::accept(server_, nullptr, nullptr)) >= 0;) {
    ::close(connection);
    text += "the server was asked; ";
  }
  return text;
}

fitup::test::ProgramResult HostileFolder::run(const std::string& program,
                                              const std::vector<std::string>& arguments,
                                              bool searched) const {
  fitup::test::RunOptions options;
  options.folder = scenes();
  options.environment = {{"FITUP_TEST_CANARY", outside("canary").string()},
                         {"TMPDIR", temporaryFiles().string()}};
  if (searched) options.environment.emplace_back("LD_LIBRARY_PATH", ":");
  return fitup::test::runProgram(program, arguments, options);
}

void writeScene(const osg::Node& scene, const fs::path& file) {
  const osg::ref_ptr<osgDB::Options> options = new osgDB::Options("useOriginalExternalReferences");
  auto written = osgDbOfThisBuild().writeNode(scene, file.string(), options.get());
  INFO(file.string() << ": " << written.message());
  REQUIRE(written.success());
}

osg::ref_ptr<osg::Node> namedBox(const std::string& name, const osg::Vec3& centre) {
  const osg::ref_ptr<osg::Geode> box = new osg::Geode;
  box->addDrawable(boxGeometry(centre, 2));
  return placed(name, {}, box);
}

namespace {

std::string inventor(const std::vector<std::string>& references) {
  std::string text = R"(#Inventor V2.1 ascii
Separator { Coordinate3 { point [ 0 0 0, 1 0 0, 0 1 0, 0 0 1 ] } IndexedFaceSet { coordIndex [ 0,1,2,-1, 0,1,3,-1 ] }
)";
  for (const std::string& file : references) text += "File { name \"" + file + "\" }\n";
  return text + "}\n";
}

std::string vrml(const std::vector<std::string>& references) {
  std::string text = R"(#VRML V2.0 utf8
Shape { geometry IndexedFaceSet { coord Coordinate { point [ 0 0 0, 1 0 0, 0 1 0, 0 0 1 ] } coordIndex [ 0,1,2,-1, 0,1,3,-1 ] } }
Script { url "javascript: function initialize() { }" }
)";
  for (const std::string& file : references) text += "Inline { url \"" + file + "\" }\n";
  return text;
}

std::string collada(const std::vector<std::string>& references) {
  std::string nodes = R"(<node id="own" name="own"><instance_geometry url="#g"/></node>)";
  for (std::size_t i = 0; i < references.size(); ++i) {
    const std::string name = "node" + std::to_string(i);
    nodes += "<node id=\"" + name + "\" name=\"" + name + "\"><instance_geometry url=\"" + references[i] +
             "#g\"/></node>\n";
  }
  return R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="f" count="12">0 0 0 1 0 0 0 2 0 0 0 1</float_array>
<technique_common><accessor source="#f" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION"
source="#p"/></vertices><triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2 0 1 3</p></triangles>
</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s">)" +
         nodes +
         R"(</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>)";
}

std::string bigEndian(std::uint32_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i) & 0xffU);
  return text;
}

std::string chunk(const std::string& name, const std::string& data) {
  return name + bigEndian(static_cast<std::uint32_t>(data.size()), 4) + data;
}

std::string lightWaveObject() {
  std::string points, polygons = "FACE";
  for (const float coordinate : {0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F})
    points += bigEndian(std::bit_cast<std::uint32_t>(coordinate), 4);
  for (const std::uint32_t number : {3U, 0U, 1U, 2U, 3U, 0U, 1U, 3U}) polygons += bigEndian(number, 2);
  const std::string name("s\0", 2);
  return chunk("FORM", "LWO2" + chunk("TAGS", name) +
                           chunk("LAYR", std::string(16, '\0') + std::string("l\0", 2)) +
                           chunk("PNTS", points) + chunk("POLS", polygons) +
                           chunk("PTAG", "SURF" + bigEndian(0, 4) + bigEndian(1, 2) + bigEndian(0, 2)) +
                           chunk("SURF", name + std::string(2, '\0')));
}

}  // namespace

std::string handWritten(const std::string& extension, const std::vector<std::string>& references) {
  if (extension == "iv") return inventor(references);
  if (extension == "wrl") return vrml(references);
  if (extension == "dae") return collada(references);
  if (extension == "lwo") return lightWaveObject();
  throw std::invalid_argument(extension);
}

std::string lightWaveScene(const std::vector<std::string>& objects) {
  std::string text = "LWSC\n1\n";
  for (const std::string& file : objects) text += "LoadObjectLayer 1 " + file + "\n";
  return text;
}

}  // namespace osgFitup::test
