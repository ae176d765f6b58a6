#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <osg/Geode>
#include <osg/ProxyNode>

#include <osgFitup/scene_assembly.h>
#include <support/import_checks.h>
#include <support/run_program.h>
#include <support/temporary_folder.h>

#include "scene_checks.h"

#if defined(FITUP_OSG_IMPORTER)
/// Files of OpenSceneGraph, written by OSG and read through the importer process.
namespace import_osg_tests {

using namespace osgFitup;
using fitup::Model;
using fitup::test::TemporaryFolder;
using osgFitup::test::osgDbOfThisBuild;

inline Model import(const std::filesystem::path& file, fitup::ReadOptions options = {}) {
  options.useCache = false;
  options.importerFolder = std::filesystem::path(FITUP_OSG_IMPORTER).parent_path();
  return readAssembly(file, options);
}

inline void write(const osg::Node& scene, const std::filesystem::path& file) {
  auto written = osgDbOfThisBuild().writeNode(scene, file.string(), nullptr);
  INFO(written.message());
  REQUIRE(written.success());
}

/// Makes two boxes that intersect, placed by named transforms.
inline osg::ref_ptr<osg::Group> twoBoxes() {
  osg::ref_ptr<osg::Group> root = new osg::Group;
  const osg::ref_ptr<osg::Geode> box = new osg::Geode;  // .ive knows no drawables without one
  box->addDrawable(osgFitup::test::boxGeometry({}, 2));
  root->addChild(osgFitup::test::placed("a", {}, box));
  root->addChild(osgFitup::test::placed("b", fitup::Transform::translation({0.3, 1.1, 0}), box));
  return root;
}

using ProxyMode = osg::ProxyNode::LoadingExternalReferenceMode;

inline osg::ref_ptr<osg::ProxyNode> proxyOf(const std::vector<std::string>& files, ProxyMode mode) {
  osg::ref_ptr<osg::ProxyNode> proxy = new osg::ProxyNode;
  proxy->setLoadingExternalReferenceMode(mode);
  for (const std::string& file : files) proxy->setFileName(proxy->getNumFileNames(), file);
  return proxy;
}

/// Writes a file with one box, below a transform of that name.
inline void writeBox(const std::filesystem::path& file, const std::string& name, const osg::Vec3& centre) {
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  const osg::ref_ptr<osg::Geode> box = new osg::Geode;
  box->addDrawable(osgFitup::test::boxGeometry(centre, 2));
  root->addChild(osgFitup::test::placed(name, {}, box));
  write(*root, file);
}

/// Writes a file of a box "b" at the origin beside another node.
inline void writeBeside(const std::filesystem::path& file, osg::Node* node) {
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  const osg::ref_ptr<osg::Geode> box = new osg::Geode;
  box->addDrawable(osgFitup::test::boxGeometry({}, 2));
  root->addChild(osgFitup::test::placed("b", {}, box));
  root->addChild(node);
  write(*root, file);
}

inline std::vector<std::string> pathsOf(const Model& model) {
  std::vector<std::string> paths;
  for (const fitup::NodeId node : model.assembly.instances()) paths.push_back(model.assembly.path(node));
  std::sort(paths.begin(), paths.end());
  return paths;
}

inline std::vector<std::string> referencedFilesOf(const Model& model) {
  std::vector<std::string> paths;
  for (const fitup::CompanionFile& file : model.source.referencedFiles)
    if (file.digest.isKnown()) paths.push_back(file.path);
  std::sort(paths.begin(), paths.end());
  return paths;
}

using Names = std::vector<std::string>;

/// Returns the result of a check of the file by the command line.
inline fitup::test::ProgramResult checkedIn(const TemporaryFolder& folder, const std::string& file) {
  fitup::test::RunOptions options;
  options.folder = folder.path();
  return fitup::test::runProgram(FITUP_PROGRAM, {"check", file, "--no-cache", "-q"}, options);
}

}  // namespace import_osg_tests
#endif
