#include <viewer/gui/shown_findings.h>

#include <fitup/scene/face_assessment.h>
#include <viewer/gui/depth_text.h>
#include <viewer/gui/document.h>
#include <viewer/gui/drag_controller.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {

ShownFindings::ShownFindings(Document& document, DragController& drag, ScenePresenter& presenter,
                             QWidget& view)
    : document_(document), drag_(drag), presenter_(presenter), depth_(view) {
  presenter_.overlay()->addChild(depth_.node());
  for (const MarkFinder* marks : {&ofChosen_, &ofAll_})
    connect(marks, &MarkFinder::found, this, &ShownFindings::found);
  connect(&ofChosen_, &MarkFinder::found, this, [this] {
    const auto marks = chosen_ ? ofChosen_.of({chosen_->a, chosen_->b}) : nullptr;
    if (marks && marks->isCut()) emit noted(tr("Only a part of where the two intersect is red"));
  });
}

void ShownFindings::clear() {
  chosen_.reset();
  ofChosen_.clear();
  ofAll_.clear();
  depth_.show(std::nullopt, {});
}

bool ShownFindings::marksChosen() const {
  return chosen_ && !paintsFaces_ && !drag_.isActive() && !presenter_.isExploded() && chosen_->copies.empty();
}

/// Empty until it is known where the parts of the finding intersect.
std::vector<MarkedPair> ShownFindings::marksOfChosen() {
  if (!marksChosen()) {
    ofChosen_.clear();
    return {};
  }
  const Session& session = *document_.session();
  const InstancePair pair(chosen_->a, chosen_->b);
  ofChosen_.ask(session.scene(), session.poses(), std::span(&pair, 1));
  const auto marks = ofChosen_.of(pair);
  if (!marks) return {};
  return {{pair, marks}};
}

/// Those that are known of the pairs that need action, while nothing moves. Whole faces show a pair without
/// regions, such as one with open parts. Of one with too many pieces the lines are complete; whole faces
/// would also be red where the two only touch.
std::vector<MarkedPair> ShownFindings::marksOfAll(const InterferenceReport* report) {
  if (drag_.isActive()) return {};  // those of parts that stay are kept
  const Session& session = *document_.session();
  std::vector<InstancePair> pairs;
  if (report != nullptr && !paintsFaces_ && !presenter_.isExploded())
    pairs = pairsToMark(*report, session.state().hidden);
  ofAll_.ask(session.scene(), session.poses(), pairs);
  std::vector<MarkedPair> marked;
  for (const InstancePair& pair : pairs)
    if (auto marks = ofAll_.of(pair); marks && marks->hasRegions())
      marked.push_back({pair, std::move(marks)});
  return marked;
}

InstanceLooks ShownFindings::looks(const InterferenceReport* report) const {
  const Session& session = *document_.session();
  const SessionState& state = session.state();
  InstanceLooks looks{state.hidden, state.ghosted, document_.selection(), state.looks};
  if (report != nullptr)  // a part inside another one is visible only through it
    for (const PairInterference& pair : report->pairs)
      if (const auto contained = containedPart(session.assembly(), pair);
          contained && !state.hidden.contains(contained->inner))
        looks.ghosted.insert(contained->outer);
  if (dimsOthers_ && report != nullptr && report->needsAction()) {
    // Mated parts touch everywhere, so parts that are only in contact are no findings to look for.
    std::set<NodeId> involved = document_.selection();
    for (const PairInterference& pair : report->pairs)
      if (pair.needsAction()) involved.insert({pair.a, pair.b});
    for (const NodeId node : session.assembly().instances())
      if (!involved.contains(node)) looks.ghosted.insert(node);
  }
  looks.plain = document_.motion().map() != nullptr;
  if (marksChosen()) {
    looks.finding = {chosen_->a, chosen_->b};
    looks.marksFaces = chosen_->surfaces.has_value();
  }
  return looks;
}

void ShownFindings::show() {
  const InterferenceReport* report = document_.check().answer().report.get();
  const ContactMap* map = document_.motion().map();
  const bool isMarked = marksChosen();
  presenter_.setLooks(looks(report));
  presenter_.place(drag_.poses());
  // Two colours on one face would hide each other.
  const InterferenceReport* painted = map != nullptr || isMarked ? nullptr : report;
  const std::vector<MarkedPair> ofChosen = marksOfChosen(), ofAll = marksOfAll(painted);
  presenter_.showMarks(isMarked ? ofChosen : ofAll);
  // Mated parts touch with whole faces, and paint on them would change the look of half a model.
  presenter_.showInterference(painted, paintsFaces_ ? document_.selection() : std::set<NodeId>{});
  // Until it is known where the parts intersect, while they move, and in an exploded view, in which they
  // intersect nowhere, a finding is shown by its faces. Those of a whole pair are red anyway, and would be
  // hidden by all others of its parts.
  const bool isRedPair = chosen_ && !chosen_->surfaces && chosen_->intersects && chosen_->copies.empty() &&
                         !presenter_.isExploded();
  const bool showsFaces = chosen_ && (chosen_->surfaces || (ofChosen.empty() && !isRedPair));
  presenter_.showChosen(showsFaces ? chosen_ : std::nullopt);
  presenter_.showContactMap(map);
  showDepth(report);
}

void ShownFindings::showDepth(const InterferenceReport* report) {
  depth_.show(std::nullopt, {});
  if (!chosen_ || report == nullptr || drag_.isActive() || presenter_.isExploded()) return;
  const PairInterference* pair = pairOf(*report, *chosen_);
  const auto place = pair == nullptr ? std::nullopt : depthPlaceOf(*chosen_, *pair);
  if (!place) return;
  const Assessment found = chosen_->surfaces ? faceAssessment(*pair, *chosen_->surfaces) : pair->assessment();
  constexpr int digits = 3;
  const LengthUnit unit = document_.lengthUnit();
  depth_.show(place, tr("%1 %2").arg(depthText(found, false, unit, digits), unit.name));
}

}  // namespace fitup::viewer
