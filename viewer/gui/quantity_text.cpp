#include <viewer/gui/quantity_text.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fitup/base/bounded_text.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {

QString numberText(double value, double bound, int digits) {
  return QString::fromStdString(boundedNumber(value, bound, digits));
}

QString lengthNumber(double length, const LengthUnit& unit, double bound, int digits) {
  return numberText(unit.shown(length), unit.shown(bound), digits);
}

QString unitAfterIn(const LengthUnit& unit) {
  return unit.name == QLatin1String("in") ? tr("inches") : unit.name;
}

QString lengthText(double length, const DistanceError& error, const LengthUnit& unit, int digits) {
  if (!(error.chordError.value_or(0) > 0))
    return tr("%1 %2").arg(lengthNumber(length, unit, std::max(error.rounding, leastShown), digits),
                           unit.name);
  constexpr int allDigits = 15;
  const BoundedText text = boundedText(unit.shown(length), unit.shown(error.bound()), allDigits);
  return tr("%1 %2 ± %3")
      .arg(QString::fromStdString(text.number), unit.name, QString::fromStdString(text.bound));
}

QString pointText(const Vec3& point, double bound) {
  const auto number = [&](double value) { return numberText(value, std::max(bound, leastShown)); };
  return QStringLiteral("%1, %2, %3").arg(number(point.x), number(point.y), number(point.z));
}

QString placeText(const Vec3& point, const LengthUnit& unit, double bound) {
  // What counts as 0 does not depend on the unit.
  const double shownBound = unit.shown(std::max(bound, leastShown));
  const auto number = [&](double value) { return numberText(unit.shown(value), shownBound); };
  return QStringLiteral("%1, %2, %3").arg(number(point.x), number(point.y), number(point.z));
}

QString angleText(double radians, double bound) {
  constexpr double degrees = 180 / std::numbers::pi;
  return numberText(radians * degrees, std::max(bound * degrees, leastShown)) + QStringLiteral("°");
}

QString turnText(const Quaternion& q) {
  const Vec3 along{q.x, q.y, q.z};
  const double sine = norm(along);
  if (!(sine > 1e-9)) return tr("not turned");
  const double sign = q.w < 0 ? -1 : 1;
  return tr("%1 about (%2)")
      .arg(angleText(2 * std::atan2(sine, sign * q.w)), pointText(along * (sign / sine)));
}

QString orientationText(const Transform& worldFromPart) {
  switch (worldFromPart.kind()) {
    case TransformKind::rigid:
      return turnText(rotationOf(worldFromPart));
    case TransformKind::mirrored: {
      Transform unmirrored = worldFromPart;
      for (auto& row : unmirrored.m) row[0] = -row[0];
      return tr("mirrored in x, then %1").arg(turnText(rotationOf(unmirrored)));
    }
    case TransformKind::affine:
      break;
  }
  return tr("scaled: volume times %1").arg(numberText(std::abs(worldFromPart.determinant())));
}

QString countText(std::size_t count, const QString& one, const QString& several) {
  return QString::number(count) + ' ' + (count == 1 ? one : several);
}

QString bytesText(std::size_t bytes) {
  const double count = static_cast<double>(bytes);
  if (bytes < 1000) return tr("%1 bytes").arg(bytes);
  if (bytes < 1'000'000) return tr("%1 kB").arg(count / 1e3, 0, 'f', 1);
  if (bytes < 1'000'000'000) return tr("%1 MB").arg(count / 1e6, 0, 'f', 1);
  return tr("%1 GB").arg(count / 1e9, 0, 'f', 1);
}

}  // namespace fitup::viewer
