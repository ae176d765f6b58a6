#include <viewer/gui/measure_tool.h>

#include <utility>

namespace fitup::viewer {

MeasureTool::MeasureTool(Document& document, DragController& drag)
    : QObject(&drag), document_(document), drag_(drag) {
  connect(&document_, &Document::aboutToClose, this, &MeasureTool::clear);
  connect(&document_, &Document::stateChanged, this, &MeasureTool::ask);
  connect(&drag_, &DragController::moved, this, &MeasureTool::ask);
  connect(&drag_, &DragController::ended, this, &MeasureTool::ask);
}

MeasureTool::~MeasureTool() = default;

void MeasureTool::clear() {
  entries_.clear();
  pending_.reset();
  pendingValue_.reset();
  worker_.cancel();
  answered_ = asked_;
  emit changed();
  setActive(false);
}

void MeasureTool::setActive(bool on) {
  if (on == active_ || (on && document_.session() == nullptr)) return;
  active_ = on;
  const bool dropped = !on && pending_;
  pending_.reset();
  pendingValue_.reset();
  emit activeChanged();
  if (dropped) emit changed();
}

void MeasureTool::take(const MeasureTarget& target) {
  if (pending_) {
    entries_.push_back({*std::exchange(pending_, {}), target, std::nullopt});
  } else {
    pending_ = target;
  }
  pendingValue_.reset();
  lastChange_ = asked_ + 1;
  emit changed();
  ask();
}

bool MeasureTool::takeSelected() {
  const std::set<NodeId>& selection = document_.selection();
  if (selection.size() == 2) {
    pending_ = {*selection.begin()};
    take({*selection.rbegin()});
    return true;
  }
  if (selection.size() != 1) return false;
  take({*selection.begin(), document_.face()});
  return true;
}

void MeasureTool::escape() {
  if (!pending_) return setActive(false);
  pending_.reset();
  pendingValue_.reset();
  lastChange_ = asked_ + 1;
  emit changed();
  ask();
}

void MeasureTool::remove(std::size_t entry) {
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(entry));
  lastChange_ = asked_ + 1;
  emit changed();
  ask();
}

void MeasureTool::removeAll() {
  entries_.clear();
  lastChange_ = asked_ + 1;
  emit changed();
  ask();
}

PlacedTarget MeasureTool::placed(const MeasureTarget& target) const {
  const Scene& scene = document_.session()->scene();
  return {target, target.edge ? target.edge : scene.collisionModel(scene.assembly().partOf(target.instance)),
          worldFromPart(target)};
}

void MeasureTool::ask() {
  if (document_.session() == nullptr || (entries_.empty() && !pending_)) {
    answered_ = asked_;
    return;
  }
  std::vector<MeasureQuestion> questions;
  for (const Entry& entry : entries_) questions.push_back({placed(entry.first), placed(entry.second)});
  if (pending_) questions.push_back({placed(*pending_), std::nullopt});
  asked_ = worker_.hand([this, questions = std::move(questions)](std::uint64_t ticket,
                                                                 const Progress& progress) {
    std::vector<MeasuredValue> values;
    try {
      values = measurer_.measure(questions, progress);
    } catch (const std::exception&) {
      // Without values they stay as they are.
    }
    QMetaObject::invokeMethod(
        this, [this, ticket, values = std::move(values)] { receive(ticket, values); }, Qt::QueuedConnection);
  });
}

void MeasureTool::receive(std::uint64_t ticket, const std::vector<MeasuredValue>& values) {
  // An answer about a previous placement is usable, one about other targets is not.
  if (ticket <= answered_ || ticket < lastChange_) return;
  answered_ = ticket;
  for (std::size_t i = 0; i < entries_.size() && i < values.size(); ++i) entries_[i].value = values[i];
  if (pending_ && values.size() > entries_.size()) pendingValue_ = values.back();
  emit changed();
}

}  // namespace fitup::viewer
