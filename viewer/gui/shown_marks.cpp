#include <viewer/gui/shown_marks.h>

#include <algorithm>
#include <utility>

#include <viewer/gui/part_drawing.h>

namespace fitup::viewer {

std::vector<osgFitup::Highlight::Id> showLinesThrough(osgFitup::Highlight& highlight,
                                                      std::span<const IntersectionLine> lines,
                                                      osgFitup::HighlightStyle style) {
  style.inFront = false;
  const auto seen = highlight.showLines(lines, style);
  style.inFront = true;
  style.colour.a() = 0.3F;
  return {seen, highlight.showLines(lines, style)};
}

void ShownMarks::show(const std::vector<MarkedPair>& pairs, const Look& look) {
  std::vector<Shown> old = std::exchange(shown_, {});
  const bool isKept = look == look_;
  look_ = look;
  for (const MarkedPair& pair : pairs) {
    const auto same = std::ranges::find(old, pair, &Shown::pair);
    if (isKept && same != old.end())
      shown_.push_back({pair, std::exchange(same->ids, {})});
    else
      shown_.push_back({pair, shown(pair)});
  }
  for (const Shown& entry : old)
    for (const auto id : entry.ids) highlight_.hide(id);
}

std::vector<osgFitup::Highlight::Id> ShownMarks::shown(const MarkedPair& pair) const {
  const auto& [lines, regions] = *pair.marks;
  std::vector<osgFitup::Highlight::Id> ids;
  const bool isSeen =
      !look_.hidden.contains(pair.instances.first) || !look_.hidden.contains(pair.instances.second);
  if (isSeen && !lines.empty()) {
    const osgFitup::HighlightStyle style{actionColour, true, look_.lineWidth};
    ids = look_.isInFront ? std::vector{highlight_.showLines(lines, style)}
                          : showLinesThrough(highlight_, lines, style);
  }
  std::vector<Triangle> pieces;
  if (!look_.hidden.contains(pair.instances.first)) pieces = regions[0].pieces;
  if (!look_.hidden.contains(pair.instances.second))
    pieces.insert(pieces.end(), regions[1].pieces.begin(), regions[1].pieces.end());
  osgFitup::HighlightStyle style{actionColour};
  style.offset = regionOffset;
  if (pieces.empty()) return ids;
  ids.push_back(highlight_.showPieces(pieces, style));
  // Large regions would slow down each picture, and their lines show where they are.
  constexpr std::size_t mostShining = 1'000;
  if (!look_.isInFront && pieces.size() > mostShining) return ids;
  style.inFront = true;
  style.colour.a() = look_.isInFront ? 0.35F : 0.2F;
  ids.push_back(highlight_.showPieces(pieces, style));
  return ids;
}

}  // namespace fitup::viewer
