#include <viewer/gui/depth_text.h>

#include <fitup/base/bounded_text.h>
#include <viewer/gui/quantity_text.h>

namespace fitup::viewer {

QString measuredText(double length, const Assessment& found, int digits) {
  return numberText(length, found.chordError + found.rounding, digits);
}

QString depthBoundText(const Assessment& found) {
  const BoundedText text =
      boundedText(*found.depth, found.chordError + found.rounding, 6, found.depthErrorBound);
  return QString::fromStdString(text.bound);
}

QString depthText(const Assessment& found, bool isOpen, int digits) {
  if (!found.depth) return {};
  const QString text = measuredText(*found.depth, found, digits);
  if (isOpen) return QStringLiteral("> ") + text;
  const QString withBound =
      found.chordError > 0 ? text + QStringLiteral(" ± ") + depthBoundText(found) : text;
  return found.depthIsLowerBound ? QStringLiteral("≥ ") + withBound : withBound;
}

}  // namespace fitup::viewer
