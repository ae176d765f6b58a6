#include <viewer/gui/library_texts.h>

#include <vector>

#include <QHash>
#include <QRegularExpression>

#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

/// The texts, with places for what they say it of. Of several that match, the first one is taken.
constexpr const char* templates[] = {
    // verdicts and statuses
    QT_TRANSLATE_NOOP("fitup::viewer", "clash"),
    QT_TRANSLATE_NOOP("fitup::viewer", "contact"),
    QT_TRANSLATE_NOOP("fitup::viewer", "clear"),
    QT_TRANSLATE_NOOP("fitup::viewer", "undecided"),
    QT_TRANSLATE_NOOP("fitup::viewer", "intersects"),
    QT_TRANSLATE_NOOP("fitup::viewer", "new"),
    QT_TRANSLATE_NOOP("fitup::viewer", "active"),
    QT_TRANSLATE_NOOP("fitup::viewer", "reviewed"),
    QT_TRANSLATE_NOOP("fitup::viewer", "approved"),
    QT_TRANSLATE_NOOP("fitup::viewer", "resolved"),
    // faces and shapes
    QT_TRANSLATE_NOOP("fitup::viewer", "the whole part"),
    QT_TRANSLATE_NOOP("fitup::viewer", "face %1 (%2) '%3'"),
    QT_TRANSLATE_NOOP("fitup::viewer", "face %1 (%2)"),
    QT_TRANSLATE_NOOP("fitup::viewer", "face %1 '%2'"),
    QT_TRANSLATE_NOOP("fitup::viewer", "face %1"),
    QT_TRANSLATE_NOOP("fitup::viewer", "plane"),
    QT_TRANSLATE_NOOP("fitup::viewer", "cylinder"),
    QT_TRANSLATE_NOOP("fitup::viewer", "cone"),
    QT_TRANSLATE_NOOP("fitup::viewer", "sphere"),
    QT_TRANSLATE_NOOP("fitup::viewer", "torus"),
    QT_TRANSLATE_NOOP("fitup::viewer", "revolution"),
    QT_TRANSLATE_NOOP("fitup::viewer", "extrusion"),
    QT_TRANSLATE_NOOP("fitup::viewer", "freeform"),
    QT_TRANSLATE_NOOP("fitup::viewer", "unknown"),
    QT_TRANSLATE_NOOP("fitup::viewer", "cylinder d %1"),
    QT_TRANSLATE_NOOP("fitup::viewer", "sphere d %1"),
    QT_TRANSLATE_NOOP("fitup::viewer", "torus d %1 / d %2"),
    QT_TRANSLATE_NOOP("fitup::viewer", "cone half angle %1 deg"),
    // solids
    QT_TRANSLATE_NOOP("fitup::viewer", "closed"),
    QT_TRANSLATE_NOOP("fitup::viewer", "open: %1 open edge at %2 surface"),
    QT_TRANSLATE_NOOP("fitup::viewer", "open: %1 open edges at %2 surface"),
    QT_TRANSLATE_NOOP("fitup::viewer", "open: %1 open edges at %2 surfaces"),
    QT_TRANSLATE_NOOP("fitup::viewer", "%1 part is not closed, so the depth of its clashes is a lower bound"),
    QT_TRANSLATE_NOOP("fitup::viewer",
                      "%1 parts are not closed, so the depths of their clashes are lower bounds"),
    // why a verdict is undecided
    QT_TRANSLATE_NOOP("fitup::viewer", "the check was cancelled"),
    QT_TRANSLATE_NOOP("fitup::viewer", "a limit ended the check before this pair"),
    QT_TRANSLATE_NOOP("fitup::viewer", "a limit ended the search; a larger time budget would decide it"),
    QT_TRANSLATE_NOOP("fitup::viewer", "it could not be refined: %1"),
    QT_TRANSLATE_NOOP(
        "fitup::viewer",
        "the points of the file are off the surfaces of its faces by up to %1, which leaves the "
        "verdict at this tolerance open; a more accurate file would decide it"),
    QT_TRANSLATE_NOOP(
        "fitup::viewer",
        "at this tessellation, depths and distances may be off by %1, which leaves the verdict at "
        "this tolerance open; a finer tessellation would decide it"),
    QT_TRANSLATE_NOOP(
        "fitup::viewer",
        "the depth or the distance differs from the tolerance by less than the chord errors of the "
        "finest tessellation, %1; another tolerance would decide it"),
    QT_TRANSLATE_NOOP("fitup::viewer",
                      "because of chord errors, the distance is known only as %1 (+/- %2), which leaves open "
                      "whether the clearance of the rule, %3, is kept; a finer tessellation would decide it"),
    // settings of the Expert panel, whose hierarchies have names that all languages share
    QT_TRANSLATE_NOOP("fitup::viewer", "on"),
    QT_TRANSLATE_NOOP("fitup::viewer", "off"),
    QT_TRANSLATE_NOOP("fitup::viewer", "classical"),
    // changes that can be undone
    QT_TRANSLATE_NOOP("fitup::viewer", "Accept a way out"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Add a guide point"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Back to the design placement"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Change rules"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Check all parts"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Check these parts only"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Colour"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Comment"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Ghost"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Go to a step of the motion"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Hide"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Isolate"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Look as in the file"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Mate %1"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Move %1"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Move a guide point"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Open project"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Open track"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Record a motion"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Remove a guide point"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Remove guide points"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Save a view"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Section"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Set status"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Show"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Show all"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Tolerance"),
    QT_TRANSLATE_NOOP("fitup::viewer", "Transparency"),
};

struct Templates {
  Templates() {
    static const QRegularExpression place(QStringLiteral("%[0-9]"));
    for (const char* each : templates) {
      const QString text = QString::fromUtf8(each);
      if (!text.contains(place)) {
        whole.insert(text, each);
        continue;
      }
      QString pattern = QRegularExpression::escape(text);
      static const QRegularExpression escapedPlace(QStringLiteral("\\\\%[0-9]"));
      withPlaces.emplace_back(QRegularExpression(QRegularExpression::anchoredPattern(
                                  pattern.replace(escapedPlace, QStringLiteral("(.+)")))),
                              each);
    }
  }
  QHash<QString, const char*> whole;
  std::vector<std::pair<QRegularExpression, const char*>> withPlaces;
};

}  // namespace

QString translated(std::string_view written) {
  static const Templates known;
  const QString text = shown(written);
  if (const auto at = known.whole.find(text); at != known.whole.end()) return tr(*at);
  for (const auto& [pattern, source] : known.withPlaces)
    if (const QRegularExpressionMatch match = pattern.match(text); match.hasMatch()) {
      const bool isFace = QLatin1String(source).startsWith(QLatin1String("face %1 (%2)"));
      QString result = tr(source);
      // Backwards, so that what was filled in is not taken for a place.
      QStringList values = match.capturedTexts().mid(1);
      if (isFace) values[1] = translated(values[1].toStdString());
      static const QRegularExpression place(QStringLiteral("%([0-9])"));
      std::vector<QRegularExpressionMatch> places;
      for (auto each = place.globalMatch(result); each.hasNext();) places.push_back(each.next());
      for (auto each = places.rbegin(); each != places.rend(); ++each)
        if (const int index = each->captured(1).toInt(); index >= 1 && index <= values.size())
          result.replace(each->capturedStart(), each->capturedLength(), values[index - 1]);
      return result;
    }
  return text;
}

}  // namespace fitup::viewer
