#include <viewer/gui/nearness_text.h>

#include <algorithm>

#include <fitup/base/rounding.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

/// The relation of some parts to what is next to them.
struct Nearness {
  enum class Kind { unknown, clashes, intersects, touches, within, apart };
  Kind kind = Kind::unknown;
  NodeId other{};
  std::size_t others = 0;  ///< besides `other`, that clash or intersect as well
  double distance = 0;
  DistanceError error{};
  /// The distance of the exact shapes is at most this.
  [[nodiscard]] double most() const { return distance + error.bound(); }
};

Nearness nearnessOf(const LiveAnswer& answer, const std::set<NodeId>& parts) {
  using enum Nearness::Kind;
  Nearness near;
  if (parts.empty()) return near;
  const PairInterference* worst = nullptr;
  if (answer.report)
    for (const PairInterference& pair : answer.report->pairs) {
      const bool isBeside = parts.contains(pair.a) != parts.contains(pair.b);
      if (!isBeside || !pair.needsAction() || pair.severity() == Severity::tooNear) continue;
      if (worst != nullptr) ++near.others;
      if (worst == nullptr || pair.severity() > worst->severity()) worst = &pair;
    }
  if (worst != nullptr) {
    near.kind = worst->severity() == Severity::clash ? clashes : intersects;
    near.other = parts.contains(worst->a) ? worst->b : worst->a;
    return near;
  }
  if (!answer.nearest) return near;
  near.other = answer.nearest->b;
  near.distance = answer.nearest->nearest.distance;
  near.error = {answer.nearest->chordError, answer.nearest->rounding};
  near.kind = apart;
  if (near.distance > near.error.bound()) return near;
  const auto isNearest = [&](const PairInterference& pair) {
    return std::minmax(pair.a, pair.b) == std::minmax(answer.nearest->a, answer.nearest->b);
  };
  const bool isContact =
      answer.report && std::ranges::any_of(answer.report->pairs, [&](const PairInterference& pair) {
        return isNearest(pair) && pair.is(Verdict::contact);
      });
  near.kind = isContact ? touches : within;
  return near;
}

/// Sums such as 0.1 + 0.31 are not rounded up because of their last digit.
QString mostText(const Nearness& near, const LengthUnit& unit) {
  return numberText(roundedUp(unit.shown(near.most()) * (1 - 1e-12)), unit.shown(leastShown), 2);
}

QString withOthers(const QString& name, std::size_t others) {
  return others == 0 ? name : tr("%1 and %2 more").arg(name, QString::number(others));
}

}  // namespace

QString nearnessText(const Session& session, const LiveAnswer& answer, const std::set<NodeId>& parts,
                     const LengthUnit& unit) {
  using enum Nearness::Kind;
  const Nearness near = nearnessOf(answer, parts);
  if (near.kind == unknown) return {};
  const QString name = shown(session.nameOf(near.other));
  switch (near.kind) {
    case clashes:
      return tr("clashes with %1").arg(withOthers(name, near.others));
    case intersects:
      return tr("intersects %1").arg(withOthers(name, near.others));
    case touches:
      return tr("touches %1").arg(name);
    case within:
      return tr("nearest: %1, less than %2 %3").arg(name, mostText(near, unit), unit.name);
    case unknown:
    case apart:
      break;
  }
  return tr("nearest: %1, %2").arg(name, lengthText(near.distance, near.error, unit, 5));
}

QString stopText(const Session& session, const DragStop& stop) {
  return tr("stopped by %1").arg(shown(session.nameOf(stop.b)));
}

QString holdText(const Session& session, std::span<const SlideHold> holding) {
  QStringList names;
  for (const SlideHold& hold : holding)
    if (const QString name = shown(session.nameOf(hold.b)); !names.contains(name)) names << name;
  return tr("slides on %1").arg(names.join(QStringLiteral(", ")));
}

QString nearnessLabel(const Session& session, const LiveAnswer& answer, const std::set<NodeId>& parts,
                      const LengthUnit& unit) {
  using enum Nearness::Kind;
  const Nearness near = nearnessOf(answer, parts);
  if (near.kind != within && near.kind != apart) return nearnessText(session, answer, parts, unit);
  const QString name = shown(session.nameOf(near.other));
  if (near.kind == within) return tr("less than %1 %2 from %3").arg(mostText(near, unit), unit.name, name);
  constexpr int digits = 3;
  return tr("free, %1 %2 from %3")
      .arg(lengthNumber(near.distance, unit, near.error.bound(), digits), unit.name, name);
}

}  // namespace fitup::viewer
