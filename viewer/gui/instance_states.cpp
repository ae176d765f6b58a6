#include <viewer/gui/instance_states.h>

#include <algorithm>

#include <viewer/core/check_scope.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

QString textOf(const char* one, const char* several, std::size_t count) {
  return count == 1 ? viewer::tr(one) : viewer::tr(several).arg(count);
}

}  // namespace

void InstanceStates::addUpwards(NodeId instance, std::vector<std::uint32_t>& sums) const {
  const Assembly& assembly = document_.session()->assembly();
  for (std::optional<NodeId> at = instance; at; at = assembly.node(*at).parent) ++sums[index(*at)];
}

void InstanceStates::begin() {
  const Assembly& assembly = document_.session()->assembly();
  const std::size_t nodes = assembly.nodes().size();
  instances_.assign(nodes, 0);
  hidden_.assign(nodes, 0);
  hiddenNow_.clear();
  occurrences_.assign(assembly.partCount(), 0);
  missing_.assign(assembly.partCount(), 0);
  // Children come after their parents.
  for (std::size_t i = nodes; i-- > 0;) {
    const AssemblyNode& node = assembly.nodes()[i];
    if (node.part) {
      ++instances_[i];
      ++occurrences_[index(*node.part)];
    }
    if (node.parent) instances_[index(*node.parent)] += instances_[i];
  }
  for (std::uint32_t i = 0; i < assembly.partCount(); ++i) {
    const TriangleMesh& mesh = assembly.part(PartId{i});
    missing_[i] = static_cast<std::uint32_t>(
        std::ranges::count(mesh.surfaces(), std::uint32_t{0}, &Surface::triangleCount));
    if (mesh.triangleCount() == 0) missing_[i] = std::max(missing_[i], 1U);
  }
  followState();
  followAnswer();
}

void InstanceStates::followState() {
  const SessionState& state = document_.session()->state();
  scope_ =
      state.rules.check ? instancesInScope(document_.session()->assembly(), state.rules) : std::set<NodeId>{};
  if (state.hidden == hiddenNow_) return;
  hiddenNow_ = state.hidden;
  std::ranges::fill(hidden_, 0);
  for (const NodeId node : hiddenNow_) addUpwards(node, hidden_);
}

void InstanceStates::followAnswer() {
  const Assembly& assembly = document_.session()->assembly();
  needAction_.assign(assembly.nodes().size(), 0);
  clash_.assign(assembly.nodes().size(), 0);
  open_.assign(assembly.partCount(), false);
  const auto& report = document_.check().answer().report;
  if (report == nullptr) return;
  for (const PartId part : report->openParts) open_[index(part)] = true;
  for (const PairInterference& pair : report->pairs) {
    if (!pair.needsAction()) continue;
    // A pair within a subassembly is one pair of it, like one that crosses its border.
    std::set<NodeId> involved;
    for (const NodeId part : {pair.a, pair.b})
      for (std::optional<NodeId> at = part; at; at = assembly.node(*at).parent) involved.insert(*at);
    const bool clashes = pair.severity() != Severity::tooNear;
    for (const NodeId node : involved) {
      ++needAction_[index(node)];
      if (clashes) ++clash_[index(node)];
    }
  }
}

bool InstanceStates::isPart(NodeId node) const {
  return document_.session()->assembly().node(node).part.has_value();
}

bool InstanceStates::isOutOfScope(NodeId node) const {
  return document_.session()->state().rules.check && isPart(node) && !scope_.contains(node);
}

bool InstanceStates::isGhosted(NodeId node) const {
  return document_.session()->state().ghosted.contains(node);
}

bool InstanceStates::isMoved(NodeId node) const {
  return document_.session()->state().motions.contains(node);
}

bool InstanceStates::isOpen(NodeId node) const {
  return isPart(node) && open_[index(document_.session()->assembly().partOf(node))];
}

std::size_t InstanceStates::missingFaces(NodeId node) const {
  return isPart(node) ? missing_[index(document_.session()->assembly().partOf(node))] : 0;
}

std::vector<StateSign> InstanceStates::signs(NodeId node) const {
  std::vector<StateSign> signs;
  if (needAction_[index(node)] > 0) signs.push_back(StateSign::needsAction);
  if (isOpen(node) || missingFaces(node) > 0) signs.push_back(StateSign::isOpen);
  if (isGhosted(node)) signs.push_back(StateSign::ghosted);
  return signs;
}

QStringList InstanceStates::texts(NodeId node) const {
  QStringList texts;
  const Assembly& assembly = document_.session()->assembly();
  if (!isPart(node)) {
    texts << textOf("1 part below", "%1 parts below", instances(node));
  } else if (const auto times = occurrences_[index(assembly.partOf(node))]; times > 1) {
    texts << viewer::tr("One of %1 instances of this part").arg(times);
  }
  if (instances(node) > 0 && allHidden(node)) texts << viewer::tr("Hidden");
  if (isGhosted(node)) texts << viewer::tr("Ghosted");
  if (isMoved(node)) texts << viewer::tr("Moved from where the model has it");
  if (isOutOfScope(node)) texts << viewer::tr("The check leaves it out");
  const std::size_t clashes = clash_[index(node)], others = needAction_[index(node)] - clashes;
  if (clashes > 0)
    texts << (document_.check().settings().verdicts
                  ? textOf("In 1 pair of parts that clash", "In %1 pairs of parts that clash", clashes)
                  : textOf("In 1 pair of parts that intersect", "In %1 pairs of parts that intersect",
                           clashes));
  if (others > 0)
    texts << textOf("In 1 pair that is nearer than a rule allows",
                    "In %1 pairs that are nearer than a rule allows", others);
  if (isOpen(node)) texts << viewer::tr("Not closed: depths of its clashes are lower bounds");
  if (const std::size_t faces = missingFaces(node); faces > 0)
    texts << textOf("Geometry is missing: 1 face has no triangles",
                    "Geometry is missing: %1 faces have no triangles", faces);
  return texts;
}

}  // namespace fitup::viewer
