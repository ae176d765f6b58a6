#pragma once

#include <algorithm>

#include <osg/LOD>

namespace osgFitup::detail {

/// Whether a child is visible to an eye at the centre, as `osg::LOD` decides for visitors without a view.
inline bool isFinestLevel(const osg::LOD& node, unsigned int child) {
  if (child >= node.getNumRanges()) return false;
  float wanted = 0;
  if (node.getRangeMode() == osg::LOD::PIXEL_SIZE_ON_SCREEN)
    for (const auto& range : node.getRangeList()) wanted = std::max(wanted, range.first);
  return node.getMinRange(child) <= wanted && wanted < node.getMaxRange(child);
}

}  // namespace osgFitup::detail
