#include <viewer/gui/depth_text.h>

#include <fitup/base/bounded_text.h>
#include <viewer/gui/quantity_text.h>

namespace fitup::viewer {

QString measuredText(double length, const Assessment& found, const LengthUnit& unit, int digits) {
  return lengthNumber(length, unit, found.chordError + found.rounding, digits);
}

QString depthBoundText(const Assessment& found, const LengthUnit& unit) {
  const BoundedText text =
      boundedText(unit.shown(*found.depth), unit.shown(found.chordError + found.rounding), 6,
                  unit.shown(found.depthErrorBound));
  return QString::fromStdString(text.bound);
}

QString depthText(const Assessment& found, bool isOpen, const LengthUnit& unit, int digits) {
  if (!found.depth) return {};
  const QString text = measuredText(*found.depth, found, unit, digits);
  if (isOpen) return QStringLiteral("> ") + text;
  const QString withBound =
      found.chordError > 0 ? text + QStringLiteral(" ± ") + depthBoundText(found, unit) : text;
  return found.depthIsLowerBound ? QStringLiteral("≥ ") + withBound : withBound;
}

}  // namespace fitup::viewer
