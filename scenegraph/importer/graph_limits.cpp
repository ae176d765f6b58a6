#include "graph_limits.h"

#include <algorithm>
#include <map>
#include <string>

#include <osg/Group>

#include <fitup/base/error.h>

#include "importer_main.h"

namespace fitup::importers {
namespace {

constexpr double mostPlaces = 2e7;

/// The size of a node with everything below it.
struct Extent {
  int levels = 1;
  double places = 1;  ///< a count that may overflow any integer
};

class Measure {
 public:
  Extent of(const osg::Node& node, int depth) {
    if (const auto known = known_.find(&node); known != known_.end()) return checked(known->second, depth);
    checked({}, depth);  // before the children are visited, because a cycle has no end
    Extent extent;
    if (const osg::Group* group = node.asGroup())
      for (unsigned int i = 0; i < group->getNumChildren(); ++i) {
        const Extent below = of(*group->getChild(i), depth + 1);
        extent.levels = std::max(extent.levels, below.levels + 1);
        extent.places += below.places;
      }
    known_.emplace(&node, extent);
    return checked(extent, depth);
  }

 private:
  static Extent checked(const Extent& extent, int depth) {
    if (depth + extent.levels > deepestTree)
      throw InputError("the scene is nested deeper than " + std::to_string(deepestTree) +
                       " levels, or contains itself");
    if (extent.places > mostPlaces)
      throw InputError("because nodes are shared, the scene has more than 20 million nodes");
    return extent;
  }

  std::map<const osg::Node*, Extent> known_;
};

}  // namespace

void checkGraphLimits(const osg::Node& scene) { (void)Measure().of(scene, 0); }

}  // namespace fitup::importers
