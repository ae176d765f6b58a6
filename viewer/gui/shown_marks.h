#pragma once

#include <memory>
#include <set>
#include <span>
#include <vector>

#include <osg/Vec4>

#include <osgFitup/highlight.h>
#include <viewer/core/finding_marks.h>

namespace fitup::viewer {

/// The colour of what needs action.
inline const osg::Vec4 actionColour{0.95F, 0.08F, 0.05F, 1};

/// Where pairs of instances intersect, with the shared marks of each.
struct MarkedPair {
  InstancePair instances;
  std::shared_ptr<const IntersectionMarks> marks;
  friend bool operator==(const MarkedPair&, const MarkedPair&) = default;
};

/// Shows lines that shine faintly through what hides them. Other arguments as of `Highlight::showLines`.
std::vector<osgFitup::Highlight::Id> showLinesThrough(osgFitup::Highlight& highlight,
                                                      std::span<const IntersectionLine> lines,
                                                      osgFitup::HighlightStyle style);

/// Shows where pairs intersect: the lines, and what of each part is inside the other one. Use it in the GUI
/// thread, between frames.
class ShownMarks {
 public:
  struct Look {
    /// Lines are over everything; otherwise they shine faintly through what hides them, as regions do.
    bool isInFront = false;
    float lineWidth = 2;
    std::set<NodeId> hidden{};  ///< instances without regions; pairs of them have no lines either
    friend bool operator==(const Look&, const Look&) = default;
  };

  explicit ShownMarks(osgFitup::Highlight& highlight) : highlight_(highlight) {}
  /// Replaces what is shown. The marks must not be null.
  void show(const std::vector<MarkedPair>& pairs, const Look& look);
  void clear() { show({}, {}); }

 private:
  struct Shown {
    MarkedPair pair;
    std::vector<osgFitup::Highlight::Id> ids;
  };
  [[nodiscard]] std::vector<osgFitup::Highlight::Id> shown(const MarkedPair& pair) const;

  osgFitup::Highlight& highlight_;
  Look look_;
  std::vector<Shown> shown_;
};

}  // namespace fitup::viewer
