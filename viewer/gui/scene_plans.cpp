// What plans add to the picture of the model: ghosts of parts, what is in their way, swept volumes.
#include <viewer/gui/scene_presenter.h>

namespace fitup::viewer {
namespace {

const osgFitup::HighlightStyle blockingStyle{{0.95F, 0.30F, 0.05F, 0.65F}, true};

}  // namespace

void ScenePresenter::addPlans() {
  swept_ = new osgFitup::SweptVolumeNode;
  root_->addChild(ghosts_.node());
  root_->addChild(swept_);
}

void ScenePresenter::clearPlans() {
  shownGhosts_.clear();
  ghosts_.clear();
  blocking_.clear();
  showSwept(nullptr);
}

void ScenePresenter::showGhosts(std::span<const DrawnGhost> ghosts) {
  shownGhosts_.assign(ghosts.begin(), ghosts.end());
  drawGhosts();
}

void ScenePresenter::drawGhosts() {
  ghosts_.clear();
  for (const DrawnGhost& ghost : shownGhosts_)
    for (const auto& [node, world] : ghost.at)
      ghosts_.add(world, session_->assembly().meshOf(node).origin(), shown_.at(node).drawn->drawing(),
                  ghost.colour, pixelRatio_);
}

void ScenePresenter::showBlocking(std::span<const std::pair<NodeId, SurfaceId>> faces) {
  for (const auto id : blocking_) highlight_->hide(id);
  blocking_.clear();
  for (const auto& [node, surface] : faces)
    if (!looks_.hidden.contains(node))
      blocking_.push_back(showSurface(*highlight_, paths_.at(node), surface, blockingStyle));
}

void ScenePresenter::showSwept(const SweptVolume* swept) {
  swept_->setSweptVolume(swept == nullptr ? SweptVolume() : *swept);
}

}  // namespace fitup::viewer
