// A sheet that waves under a ball: its model is refitted in each frame: osg_wave [--picture out.png]
#include <cmath>
#include <iostream>

#include <osgFitup/highlight.h>
#include <osgFitup/interference_monitor.h>
#include <osg/MatrixTransform>
#include <osg/ShapeDrawable>

#include "picture.h"

namespace {

constexpr int cells = 80;

/// Moves vertices and says so: that is all that a deforming part has to do.
struct Wave : osg::NodeCallback {
  osg::ref_ptr<osg::Vec3Array> vertices = new osg::Vec3Array,
                               normals = new osg::Vec3Array(osg::Array::BIND_PER_VERTEX);
  void operator()(osg::Node* node, osg::NodeVisitor* visitor) override {
    const auto phase = static_cast<float>(visitor->getFrameStamp()->getFrameNumber()) * 0.05F;
    for (std::size_t i = 0; i < vertices->size(); ++i) {
      osg::Vec3& v = (*vertices)[i];
      v.z() = 0.5F * std::sin(1.5F * v.x() + phase) * std::cos(v.y());
      (*normals)[i] = osg::Vec3(-0.75F * std::cos(1.5F * v.x() + phase) * std::cos(v.y()),
                                0.5F * std::sin(1.5F * v.x() + phase) * std::sin(v.y()), 1);
      (*normals)[i].normalize();
    }
    vertices->dirty();
    normals->dirty();
    traverse(node, visitor);
  }
};

}  // namespace

int main(int argc, char** argv) {
  osg::ArgumentParser arguments(&argc, argv);
  std::string picture;
  arguments.read("--picture", picture);
  osg::ref_ptr<Wave> wave = new Wave;
  osg::ref_ptr<osg::Geometry> sheet = new osg::Geometry;
  osg::ref_ptr<osg::DrawElementsUInt> quads = new osg::DrawElementsUInt(GL_QUADS);
  for (int i = 0; i <= cells; ++i)
    for (int j = 0; j <= cells; ++j) {
      wave->vertices->push_back(
          {8.0F * static_cast<float>(i) / cells - 4, 8.0F * static_cast<float>(j) / cells - 4, 0});
      wave->normals->push_back({0, 0, 1});
      const unsigned int corner = static_cast<unsigned int>(i * (cells + 1) + j);
      if (i < cells && j < cells)
        for (const unsigned int next : {0U, cells + 1U, cells + 2U, 1U}) quads->push_back(corner + next);
    }
  sheet->setVertexArray(wave->vertices);
  sheet->setNormalArray(wave->normals);
  sheet->addPrimitiveSet(quads);
  sheet->setUseDisplayList(false);
  sheet->setDataVariance(osg::Object::DYNAMIC);
  osg::ref_ptr<osg::MatrixTransform> floor = new osg::MatrixTransform, ball = new osg::MatrixTransform;
  floor->setName("sheet");
  floor->addChild(sheet);
  ball->setName("ball");
  ball->addChild(new osg::ShapeDrawable(new osg::Sphere({0.5F, 0, 0.7F}, 0.9F)));
  osg::ref_ptr<osg::Group> scene = new osg::Group, root = new osg::Group;
  scene->addChild(floor);
  scene->addChild(ball);
  scene->addUpdateCallback(wave);

  osg::ref_ptr<osgFitup::Highlight> highlight = new osgFitup::Highlight;
  osg::ref_ptr<osgFitup::InterferenceMonitor> monitor = new osgFitup::InterferenceMonitor(scene);
  monitor->setOptions({});
  monitor->addCallback([&](const auto& m) {
    highlight->showInterference(m, {.colour = {1, 0.5F, 0.1F, 0.35F}},
                                osgFitup::HighlightStyle{.lineWidth = 4});
    std::cout << m.getReport().stats.triangleTests << " triangle tests\n";
  });
  scene->addUpdateCallback(monitor->getUpdateCallback());
  root->addChild(scene);
  root->addChild(highlight);
  osgViewer::Viewer viewer(arguments);
  return runOrSave(viewer, root, {0.3F, -2.2F, 1.5F}, picture);
}
