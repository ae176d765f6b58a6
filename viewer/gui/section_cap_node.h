#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <osg/Group>
#include <osg/LineWidth>
#include <osg/MatrixTransform>
#include <osg/TexMat>

#include <viewer/core/cap_styles.h>
#include <viewer/core/section_caps.h>

namespace fitup::viewer {

/// How caps look, besides their styles.
struct CapLooks {
  std::set<NodeId> selected;
  std::set<NodeId> ghosted;   ///< outlines only
  std::optional<NodeId> lit;  ///< under the cursor
  friend bool operator==(const CapLooks&, const CapLooks&) = default;
};

/// Draws the caps of sections: filled, hatched and outlined, and overlaps in red. World coordinates.
class SectionCapNode {
 public:
  SectionCapNode();
  [[nodiscard]] osg::Group* node() noexcept { return node_.get(); }

  void show(std::span<const SectionFace> faces, const std::map<NodeId, CapStyle>& styles,
            const CapLooks& looks);
  /// Sets the usual distance between two lines of the hatching, in the world.
  void setHatching(double distance);
  /// Sets the device pixels per widget pixel, by which lines are wider.
  void setPixelRatio(float ratio);

 private:
  using Triangles = std::shared_ptr<const std::vector<FlatPoint>>;
  osg::ref_ptr<osg::Node> makeFace(const SectionFace& face, const std::map<NodeId, CapStyle>& styles,
                                   const CapLooks& looks);
  /// The triangles of a region, from the last call if it is the same. `owner` keeps it alive.
  const std::vector<FlatPoint>& trianglesOf(const std::shared_ptr<const void>& owner,
                                            const FlatRegion& region);

  osg::ref_ptr<osg::Group> node_;
  osg::ref_ptr<osg::StateSet> fillState_, overlapState_, outlineState_;
  osg::ref_ptr<osg::TexMat> hatching_;
  osg::ref_ptr<osg::LineWidth> lineWidth_;
  std::map<std::shared_ptr<const void>, Triangles> triangles_, lastTriangles_;
};

}  // namespace fitup::viewer
