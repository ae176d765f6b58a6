#include <viewer/gui/quantity_text.h>

#include <cmath>
#include <numbers>

#include <viewer/gui/shown_text.h>

namespace fitup::viewer {

QString numberText(double value) { return QString::number(std::abs(value) < 1e-9 ? 0 : value, 'g', 7); }

QString pointText(const Vec3& point) {
  return QStringLiteral("%1, %2, %3").arg(numberText(point.x), numberText(point.y), numberText(point.z));
}

QString angleText(double radians) {
  return numberText(radians * 180 / std::numbers::pi) + QStringLiteral("°");
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
  return tr("%1 MB").arg(count / 1e6, 0, 'f', 1);
}

}  // namespace fitup::viewer
