#pragma once

#include <map>

#include <fitup/io/project_file.h>
#include <fitup/scene/scene.h>

namespace fitup::viewer {

/// How the cut faces of a part look, in all sections.
struct CapStyle {
  Colour fill;
  double hatchDegrees = 45;  ///< direction of the hatching, from the frame's u towards v
  double hatchSpacing = 1;   ///< relative to the usual distance between two lines
};

/// The looks that users gave to instances.
using PartLooks = std::map<NodeId, PartLook>;

/// Returns the opaque colour of a look. Precondition: it has one.
Colour colourOf(const PartLook& look);

/// Returns the colour of most of an instance, as it is drawn.
Colour mainColour(const Assembly& assembly, NodeId instance, const PartLooks& looks = {});

/// Chooses styles by which neighbouring parts differ in hatching and in colour. Neighbours are instances
/// whose boxes touch in the design placements, so that the styles do not change when the section or a part is
/// moved. Colours are those of the parts, brightened; where neighbours look alike, or a part looks like an
/// overlap, the colour is a distinct one. Greedy, in the order of the instances.
std::map<NodeId, CapStyle> capStyles(const Scene& scene, const PartLooks& looks = {});

}  // namespace fitup::viewer
