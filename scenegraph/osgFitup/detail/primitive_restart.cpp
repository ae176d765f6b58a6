#include <osgFitup/detail/primitive_restart.h>

#include <algorithm>
#include <unordered_map>

#include <osg/Drawable>
#include <osg/Group>
#include <osg/PrimitiveRestartIndex>

namespace osgFitup::detail {
namespace {

/// Decides like osg::State::pushModeList and pushAttributeList.
bool isOverridden(unsigned int above, unsigned int here) {
  return (above & osg::StateAttribute::OVERRIDE) != 0 && (here & osg::StateAttribute::PROTECTED) == 0;
}

/// Visits each node once, however many paths lead to it.
class Above {
 public:
  const std::vector<PrimitiveRestart>& of(const osg::Node& node) {
    const auto found = known_.find(&node);
    if (found != known_.end()) return found->second;
    std::vector<PrimitiveRestart> states;
    for (unsigned int i = 0; i < node.getNumParents(); ++i)
      for (PrimitiveRestart state : of(*node.getParent(i))) {
        state.apply(node.getParent(i)->getStateSet());
        if (std::find(states.begin(), states.end(), state) == states.end()) states.push_back(state);
      }
    if (node.getNumParents() == 0) states.emplace_back();
    return known_.emplace(&node, std::move(states)).first->second;
  }

 private:
  std::unordered_map<const osg::Node*, std::vector<PrimitiveRestart>> known_;
};

void applyAbove(const osg::Node& node, PrimitiveRestart& state) {
  std::vector<const osg::Node*> above;
  for (const osg::Node* n = &node; n->getNumParents() > 0; n = above.back()) above.push_back(n->getParent(0));
  for (auto n = above.rbegin(); n != above.rend(); ++n) state.apply((*n)->getStateSet());
}

}  // namespace

void PrimitiveRestart::apply(const osg::StateSet* state) {
  if (state == nullptr) return;
  const auto& modes = state->getModeList();
  if (const auto mode = modes.find(GL_PRIMITIVE_RESTART);
      mode != modes.end() && !isOverridden(mode_, mode->second))
    mode_ = mode->second;
  const auto* const given = state->getAttributePair(osg::StateAttribute::PRIMITIVERESTARTINDEX);
  const auto* const index =
      given == nullptr ? nullptr : dynamic_cast<const osg::PrimitiveRestartIndex*>(given->first.get());
  if (index == nullptr || isOverridden(indexFlags_, given->second)) return;
  index_ = index->getRestartIndex();
  indexFlags_ = given->second;
}

std::optional<unsigned int> PrimitiveRestart::index() const {
  return (mode_ & osg::StateAttribute::ON) != 0 ? std::optional(index_) : std::nullopt;
}

PrimitiveRestart restartAlong(const osg::NodePath& path) {
  PrimitiveRestart restart;
  if (path.empty()) return restart;
  applyAbove(*path.front(), restart);
  for (const osg::Node* node : path)
    if (node->asDrawable() == nullptr) restart.apply(node->getStateSet());
  return restart;
}

std::vector<PrimitiveRestart> restartsAbove(const osg::Node& node) { return Above().of(node); }

}  // namespace osgFitup::detail
