// Looks for a way out of a part while the scene is drawn, plays it, and shows the space that it needs.
// Usage: osg_way_out MODEL PATH [--picture out.png]
#include <iostream>
#include <optional>
#include <thread>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/io/read_assembly.h>
#include <fitup/planning/tree_search.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/swept_volume_node.h>
#include <osgFitup/track_player.h>
#include <osgFitup/way_out_search.h>
#include <osgUtil/LineSegmentIntersector>

#include "picture.h"

namespace {

/// Prints what a click hits of the swept volume, and lights it.
class PickPatch : public osgGA::GUIEventHandler {
 public:
  explicit PickPatch(osgFitup::SweptVolumeNode* swept) : swept_(swept) {}
  bool handle(const osgGA::GUIEventAdapter& event, osgGA::GUIActionAdapter& action) override {
    auto* view = dynamic_cast<osgViewer::View*>(&action);
    if (event.getEventType() != osgGA::GUIEventAdapter::PUSH || view == nullptr) return false;
    osgUtil::LineSegmentIntersector::Intersections hits;
    if (!view->computeIntersections(event, hits)) return false;
    const auto hit = swept_->getHit(hits.begin()->drawable, hits.begin()->primitiveIndex);
    if (hit) std::cout << hit->name << ", nearest at step " << hit->time << "\n";
    swept_->setLitPatch(hit ? std::optional(hit->surface) : std::nullopt);
    return false;
  }

 private:
  osg::ref_ptr<osgFitup::SweptVolumeNode> swept_;
};

}  // namespace

int main(int argc, char** argv) try {
  osg::ArgumentParser arguments(&argc, argv);
  std::string picture;
  arguments.read("--picture", picture);
  if (arguments.argc() != 3) {
    std::cerr << "usage: osg_way_out MODEL PATH [--picture out.png]\n";
    return 2;
  }
  const auto scene = osgFitup::createScene(fitup::sceneOf(fitup::readAssembly(arguments[1])));
  osgFitup::PartNode* part = osgFitup::findPartNode(*scene, arguments[2]);
  osg::ref_ptr<osgFitup::SweptVolumeNode> swept = new osgFitup::SweptVolumeNode;
  osg::ref_ptr<osgFitup::TrackPlayer> player;

  osg::ref_ptr<osgFitup::WayOutSearch> search =
      new osgFitup::WayOutSearch(scene, std::vector<osg::Node*>{part});
  fitup::RemovalOptions options;
  if (fitup::hasTreeSearch()) options.search = fitup::treeSearch();  // beyond straight ways
  search->setOptions(options);
  search->setFinished([&](const osgFitup::WayOutSearch& found) {
    if (!found.getError().empty()) std::cerr << found.getError() << "\n";
    if (found.getTrack() == nullptr) return;
    const fitup::Track& track = *found.getTrack();
    std::cout << "a certain way, " << found.getReport()->length << " " << track.unit << " long\n";
    player = new osgFitup::TrackPlayer(*scene, track);
    if (!fitup::hasSweptVolumes()) return;
    fitup::SweptVolumeOptions coarse;
    coarse.accuracy = 0.02 * 2 * part->getBound().radius();
    coarse.threads = fitup::allCores;
    swept->setSweptVolume(fitup::sweptVolume(found.getSceneAssembly().scene, track, coarse));
    swept->setStyle({.lastColour = osg::Vec4(1.0F, 0.55F, 0.2F, 0.42F)});  // from violet to orange
  });
  if (!search->start()) std::cerr << search->getError() << "\n";

  /// Takes what the search has, and then plays the way again and again.
  struct EachFrame : osg::NodeCallback {
    osgFitup::WayOutSearch* search = nullptr;
    const osg::ref_ptr<osgFitup::TrackPlayer>* player = nullptr;
    void operator()(osg::Node* node, osg::NodeVisitor* visitor) override {
      search->update();
      constexpr double seconds = 4;
      const double share = visitor->getFrameStamp()->getReferenceTime() / seconds;
      if (player->valid())
        (*player)->setTime((share - static_cast<long>(share)) *
                           static_cast<double>((*player)->getNumSteps() - 1));
      traverse(node, visitor);
    }
  };
  osg::ref_ptr<EachFrame> each = new EachFrame;
  each->search = search;
  each->player = &player;
  osg::ref_ptr<osg::Group> root = new osg::Group;
  for (osg::Node* node : {static_cast<osg::Node*>(scene), static_cast<osg::Node*>(search->getGhost()),
                          static_cast<osg::Node*>(swept)})
    root->addChild(node);
  root->addUpdateCallback(each);
  osgViewer::Viewer viewer(arguments);
  viewer.addEventHandler(new PickPatch(swept));
  if (!picture.empty()) search->finish();  // in a window, the search and the pictures go on side by side
  return runOrSave(viewer, root, {-1.1F, -1.9F, 1.1F}, picture);
} catch (const fitup::Error& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
