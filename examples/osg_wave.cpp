// Sends a wave through a sheet under a ball and refits the sheet's model in each frame.
// Usage: osg_wave [--picture out.png]
#include <cmath>
#include <iostream>

#include <osgFitup/highlight.h>
#include <osgFitup/interference_monitor.h>
#include <osg/ShapeDrawable>

#include "picture.h"
/// Moves the vertices and dirties their array. A deforming part needs no more.
struct Wave : osg::NodeCallback {
  osg::ref_ptr<osg::Vec3Array> vertices = new osg::Vec3Array, normals = new osg::Vec3Array(6561);
  void operator()(osg::Node* node, osg::NodeVisitor* visitor) override {
    const float phase = 0.05F * visitor->getFrameStamp()->getFrameNumber();
    for (std::size_t i = 0; i < vertices->size(); ++i) {
      osg::Vec3& v = (*vertices)[i];
      v.z() = 0.5F * std::sin(1.5F * v.x() + phase);
      ((*normals)[i] = osg::Vec3(-0.75F * std::cos(1.5F * v.x() + phase), 0, 1)).normalize();
    }
    vertices->dirty();
    normals->dirty();
    traverse(node, visitor);
  }
};

int main(int argc, char** argv) {
  osg::ArgumentParser arguments(&argc, argv);
  std::string picture;
  arguments.read("--picture", picture);
  osg::ref_ptr<Wave> wave = new Wave;
  osg::ref_ptr<osg::Geometry> sheet = new osg::Geometry;
  osg::ref_ptr<osg::DrawElementsUInt> quads = new osg::DrawElementsUInt(GL_QUADS);
  for (unsigned int i = 0; i < 81 * 81; ++i) {
    wave->vertices->push_back({0.1F * (i / 81) - 4, 0.1F * (i % 81) - 4, 0});
    for (const unsigned int next : {0U, 81U, 82U, 1U})
      if (i < 80 * 81 && i % 81 < 80) quads->push_back(i + next);
  }
  sheet->setVertexArray(wave->vertices);
  sheet->setNormalArray(wave->normals, osg::Array::BIND_PER_VERTEX);
  sheet->addPrimitiveSet(quads);
  sheet->setUseDisplayList(false);  // a display list would keep the first shape
  sheet->setDataVariance(osg::Object::DYNAMIC);
  osg::ref_ptr<osg::Group> scene = new osg::Group, root = new osg::Group;
  scene->addChild(sheet);
  scene->addChild(new osg::ShapeDrawable(new osg::Sphere({0.5F, 0, 0.7F}, 0.9F)));
  scene->addUpdateCallback(wave);
  osg::ref_ptr<osgFitup::Highlight> highlight = new osgFitup::Highlight;
  osg::ref_ptr<osgFitup::InterferenceMonitor> monitor = new osgFitup::InterferenceMonitor(scene);
  monitor->setOptions({});  // all pairs of triangles, for their lines
  monitor->addCallback([&](const auto& m) {
    highlight->showInterference(m, {.colour = {0.2F, 0.6F, 1, 0.25F}}, {{.inFront = true, .lineWidth = 4}});
    std::cout << m.getReport().stats.triangleTests << " triangle tests\n";
  });
  scene->addUpdateCallback(monitor->getUpdateCallback());
  root->addChild(scene);
  root->addChild(highlight);
  osgViewer::Viewer viewer(arguments);
  return runOrSave(viewer, root, {0.3F, -2.2F, 1.5F}, picture);
}
