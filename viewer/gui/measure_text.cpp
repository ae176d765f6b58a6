#include <viewer/gui/measure_text.h>

#include <fitup/io/report_build.h>
#include <viewer/gui/library_texts.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

QString pairText(ShapePair shapes) {
  switch (shapes) {
    case ShapePair::planes:
      return tr("Between the planes");
    case ShapePair::axes:
      return tr("Between the axes");
    case ShapePair::axisAndPlane:
      return tr("Axis from plane");
    case ShapePair::pointAndPlane:
      return tr("Point from plane");
    case ShapePair::pointAndAxis:
      return tr("Point from axis");
    case ShapePair::points:
      break;
  }
  return tr("Between the points");
}

bool isPlane(const std::optional<SurfaceDescription>& shape) {
  return shape && shape->kind == SurfaceKind::plane;
}

/// A circle of an edge as a face of a pipe, to be placed in the world.
SurfaceDescription pipeAt(const EdgeCircle& circle) {
  return {SurfaceKind::cylinder, circle.centre, circle.axis, circle.radius};
}

}  // namespace

QString snapText(SnapKind kind, const std::optional<EdgeCircle>& circle, const Transform& worldFromPart,
                 const LengthUnit& unit) {
  if (kind == SnapKind::corner) return tr("corner");
  const auto shape = circle ? placed(pipeAt(*circle), worldFromPart) : std::nullopt;
  if (!shape) return tr("edge");
  const double error = 2 * placed(ShapeAccuracy{circle->error, 0}, worldFromPart).length;
  const QString diameter = lengthText(2 * shape->radius, {std::nullopt, error}, unit);
  return kind == SnapKind::centre ? tr("centre of circle Ø %1").arg(diameter)
                                  : tr("edge, circle Ø %1").arg(diameter);
}

QString targetText(const Session& session, const MeasureTarget& target, const LengthUnit& unit) {
  const QString part = shown(session.nameOf(target.instance));
  if (target.edge || target.isCorner || target.circle) {
    const SnapKind kind = target.edge       ? SnapKind::edge
                          : target.isCorner ? SnapKind::corner
                                            : SnapKind::centre;
    return tr("%1 of %2")
        .arg(snapText(kind, target.circle, session.worldFromPart(target.instance), unit), part);
  }
  if (target.pointInPart) return tr("a point of %1").arg(part);
  if (!target.surface) return part;
  return tr("%1 of %2")
      .arg(translated(faceText(reportedSurface(session.assembly().meshOf(target.instance), *target.surface))),
           part);
}

QString distanceText(const MeasuredValue& value, const LengthUnit& unit) {
  return value.distance ? lengthText(*value.distance, value.distanceError, unit) : QString();
}

QString labelText(const MeantValue& meant, const LengthUnit& unit) {
  if (meant.meaning == Meaning::angle) return angleText(meant.value, meant.error.rounding);
  constexpr int digits = 6;  // more are noise in a headline; the list has them
  const QString length = lengthText(meant.value, meant.error, unit, digits);
  switch (meant.meaning) {
    case Meaning::axisDistance:
      return QStringLiteral("℄ ") + length;
    case Meaning::planeDistance:
      return QStringLiteral("∥ ") + length;
    case Meaning::diameter:
      return QStringLiteral("Ø ") + length;
    default:
      return length;
  }
}

std::vector<ValueList::Line> linesOf(const QString& group, const QString& prefix, const MeasureTarget& target,
                                     const std::optional<SurfaceDescription>& shape,
                                     const ShapeAccuracy& accuracy, const LengthUnit& unit) {
  std::vector<ValueList::Line> lines;
  if (target.pointInPart || !shape) return lines;
  const auto named = [&](const QString& name) { return prefix.isEmpty() ? name : prefix + name.toLower(); };
  const auto length = [&](double value, double bound) {
    return lengthText(value, {std::nullopt, bound}, unit);
  };
  if (shape->kind == SurfaceKind::plane) {
    lines.push_back({group, named(tr("Normal")), pointText(shape->axis, accuracy.angle)});
    return lines;
  }
  lines.push_back({group, named(tr("Radius")), length(shape->radius, accuracy.length)});
  lines.push_back({group, named(tr("Diameter")), length(2 * shape->radius, 2 * accuracy.length)});
  if (shape->kind != SurfaceKind::sphere)
    lines.push_back({group, named(tr("Axis")), pointText(shape->axis, accuracy.angle)});
  return lines;
}

std::vector<ValueList::Line> linesOf(const QString& group, const MeasureTarget& first,
                                     const MeasureTarget& second, const MeasuredValue& value,
                                     const LengthUnit& unit) {
  std::vector<ValueList::Line> lines;
  if (value.distance) {
    const bool points = first.pointInPart && second.pointInPart;
    lines.push_back({group, points ? tr("Length") : tr("Minimum distance"),
                     *value.distance > 0 || points ? distanceText(value, unit)
                                                   : tr("0 %1: they intersect or touch").arg(unit.name)});
    lines.push_back({group, tr("dx, dy, dz"),
                     placeText(value.secondPoint - value.firstPoint, unit, value.distanceError.rounding)});
  } else {
    lines.push_back({group, tr("Minimum distance"), tr("none: %1").arg(shown(value.unclear))});
  }
  if (value.angle) lines.push_back({group, tr("Angle"), angleText(*value.angle, value.angleError)});
  if (value.shapeDistance && !(first.pointInPart && second.pointInPart))
    lines.push_back({group, pairText(value.shapes),
                     lengthText(*value.shapeDistance, {std::nullopt, value.shapeDistanceError}, unit)});
  const bool freeform = !value.angle && !value.shapeDistance && first.surface && second.surface;
  if (freeform && value.distance)
    lines.push_back({group, tr("Angle"), tr("none: one face is not flat and has no axis")});
  if (!isPlane(value.firstShape))
    for (auto& line : linesOf(group, tr("First: "), first, value.firstShape, value.firstAccuracy, unit))
      lines.push_back(line);
  if (!isPlane(value.secondShape))
    for (auto& line : linesOf(group, tr("Second: "), second, value.secondShape, value.secondAccuracy, unit))
      lines.push_back(line);
  return lines;
}

}  // namespace fitup::viewer
