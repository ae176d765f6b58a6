#pragma once

#include <map>
#include <set>
#include <vector>

#include <osg/Vec4>

#include <fitup/motion/contact_map.h>
#include <osgFitup/highlight.h>

namespace fitup::viewer {

/// Colours of a contact map: from early to late by the step of the first contact, and a separate one for
/// faces that only come near.
class ContactColours {
 public:
  static constexpr int shades = 24;
  explicit ContactColours(const ContactMap& map);
  [[nodiscard]] osg::Vec4 of(const SurfaceContact& contact) const;
  [[nodiscard]] static osg::Vec4 shade(double fraction);  ///< 0: the earliest, 1: the latest
  [[nodiscard]] static osg::Vec4 near();
  /// Steps of the earliest and the latest first contact; equal if there is no contact.
  [[nodiscard]] std::size_t first() const noexcept { return first_; }
  [[nodiscard]] std::size_t last() const noexcept { return last_; }
  [[nodiscard]] bool any() const noexcept { return any_; }

 private:
  std::size_t first_ = 0, last_ = 0;
  bool any_ = false;
};

/// Paints the faces of a contact map. Use it in the GUI thread, between frames.
class ContactPaint {
 public:
  explicit ContactPaint(osgFitup::Highlight& highlight) : highlight_(highlight) {}
  /// `paths` lead to the nodes of the instances; `hidden` ones are not painted. Null paints nothing. The map
  /// must live until the next call.
  void show(const ContactMap* map, const std::map<NodeId, osg::NodePath>& paths,
            const std::set<NodeId>& hidden);
  void clear();

 private:
  osgFitup::Highlight& highlight_;
  const ContactMap* map_ = nullptr;
  std::set<NodeId> hidden_;
  std::vector<osgFitup::Highlight::Id> painted_;
};

}  // namespace fitup::viewer
