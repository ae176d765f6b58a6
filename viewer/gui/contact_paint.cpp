#include <viewer/gui/contact_paint.h>

#include <algorithm>
#include <cmath>

#include <viewer/gui/part_drawing.h>

namespace fitup::viewer {

ContactColours::ContactColours(const ContactMap& map) {
  for (const SurfaceContact& contact : map.surfaces) {
    if (!contact.first) continue;
    const std::size_t step = contact.first->step;
    first_ = any_ ? std::min(first_, step) : step;
    last_ = any_ ? std::max(last_, step) : step;
    any_ = true;
  }
}

osg::Vec4 ContactColours::shade(double fraction) {
  // Dark violet, red, yellow: they also ascend in lightness, so that early and late differ in grey.
  static const osg::Vec4 stops[] = {
      {0.30F, 0.05F, 0.45F, 1}, {0.88F, 0.22F, 0.25F, 1}, {1.0F, 0.86F, 0.2F, 1}};
  const double at = 2 * std::clamp(fraction, 0.0, 1.0);
  const int below = std::min(1, static_cast<int>(at));
  return stops[below] + (stops[below + 1] - stops[below]) * static_cast<float>(at - below);
}

osg::Vec4 ContactColours::near() { return {0.55F, 0.78F, 0.95F, 1}; }

osg::Vec4 ContactColours::of(const SurfaceContact& contact) const {
  if (!contact.first) return near();
  if (last_ == first_) return shade(0);
  const double fraction =
      static_cast<double>(contact.first->step - first_) / static_cast<double>(last_ - first_);
  return shade(std::round(fraction * shades) / shades);
}

void ContactPaint::clear() {
  for (const auto id : painted_) highlight_.hide(id);
  painted_.clear();
  map_ = nullptr;
}

void ContactPaint::show(const ContactMap* map, const std::map<NodeId, osg::NodePath>& paths,
                        const std::set<NodeId>& hidden) {
  if (map == map_ && (map == nullptr || hidden == hidden_)) return;
  clear();
  map_ = map;
  hidden_ = hidden;
  if (map == nullptr) return;
  const ContactColours colours(*map);
  for (const SurfaceContact& contact : map->surfaces)
    if (!hidden.contains(contact.instance))
      painted_.push_back(
          showSurface(highlight_, paths.at(contact.instance), contact.surface, {colours.of(contact)}));
}

}  // namespace fitup::viewer
