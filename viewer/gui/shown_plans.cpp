#include <viewer/gui/shown_plans.h>

#include <utility>
#include <vector>

#include <viewer/gui/document.h>
#include <viewer/gui/scene_view.h>

namespace fitup::viewer {
namespace {

osg::Vec4 colourOf(WayOut::Ghost::Kind kind) {
  switch (kind) {
    case WayOut::Ghost::Kind::sight:
      return {0.0F, 0.62F, 0.72F, 0.45F};
    case WayOut::Ghost::Kind::stop:
      return {0.95F, 0.55F, 0.10F, 0.40F};
    case WayOut::Ghost::Kind::chosen:
      return {0.10F, 0.70F, 0.25F, 0.60F};
    case WayOut::Ghost::Kind::guide:
      break;
  }
  return {0.35F, 0.62F, 0.42F, 0.32F};
}

}  // namespace

ShownPlans::ShownPlans(Document& document, WayOut& wayOut, ShownSweep& sweep, SceneView& view)
    : document_(document), wayOut_(wayOut), sweep_(sweep), view_(view) {
  view_.setWayOut(wayOut_);
  connect(&wayOut_, &WayOut::changed, this, [this] {
    showGhosts();
    showBlocking();
  });
  connect(&wayOut_, &WayOut::sighted, this, &ShownPlans::showGhosts);
  connect(&wayOut_, &WayOut::guideDragged, this, &ShownPlans::showGhosts);
  connect(&document_, &Document::stateChanged, this, &ShownPlans::showBlocking);  // parts may be hidden now
  connect(&sweep_, &ShownSweep::changed, this, &ShownPlans::showSwept);
  connect(&sweep_, &ShownSweep::made, this,
          [this] { view_.keepInView(sweep_.swept()->outer->boundsInPart()); });
}

void ShownPlans::showGhosts() {
  if (view_.presenter().isClear()) return;
  std::vector<DrawnGhost> ghosts;
  for (WayOut::Ghost& ghost : wayOut_.ghosts()) ghosts.push_back({std::move(ghost.at), colourOf(ghost.kind)});
  view_.presenter().showGhosts(ghosts);
  view_.update();
}

void ShownPlans::showBlocking() {
  if (view_.presenter().isClear()) return;
  std::vector<WayOutClue::Face> faces;
  if (const WayOutClue* clue = wayOut_.lit(); clue != nullptr) {
    for (const ReliefFace& face : clue->yielding)
      for (const SurfaceId surface : face.surfaces) faces.emplace_back(face.instance, surface);
    if (clue->faces) {
      faces = {clue->faces->first, clue->faces->second};
    } else if (faces.empty()) {
      const Assembly& assembly = document_.session()->assembly();
      for (const NodeId part : clue->parts)
        for (std::uint32_t s = 0; s < assembly.meshOf(part).surfaces().size(); ++s)
          faces.emplace_back(part, SurfaceId{s});
    }
  }
  view_.presenter().showBlocking(faces);
  view_.update();
}

void ShownPlans::showSwept() {
  if (view_.presenter().isClear()) return;
  view_.presenter().showSwept(sweep_.isShown() ? sweep_.swept() : nullptr);
  view_.update();
}

}  // namespace fitup::viewer
