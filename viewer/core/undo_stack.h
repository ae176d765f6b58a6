#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace fitup::viewer {

/// The states after each edit, with the names of the edits. States are values that share large data, so no
/// edit needs code to undo it. Use it from one thread.
template <typename State>
class UndoStack {
 public:
  /// Keeps at most this number of steps; the oldest are dropped first.
  explicit UndoStack(State first, std::size_t mostSteps = 500)
      : steps_{{std::move(first), {}, {}}}, mostSteps_(mostSteps) {}

  [[nodiscard]] const State& state() const noexcept { return steps_[at_].state; }

  /// Drops the undone states. An edit with the same nonempty `mergeKey` as the previous one joins its step,
  /// until `endMerging`; this is for dragged sliders. `isSaved` false: the edit changes nothing that is
  /// saved.
  void push(State state, std::string label, std::string mergeKey = {}, bool isSaved = true) {
    const bool merges = !mergeKey.empty() && at_ > 0 && at_ + 1 == steps_.size() &&
                        steps_[at_].mergeKey == mergeKey && clean_ != at_;
    if (clean_ != never && clean_ > at_) clean_ = isClean() ? at_ : never;
    steps_.resize(at_ + 1);
    if (merges) {
      steps_[at_].state = std::move(state);
      steps_[at_].isSaved = steps_[at_].isSaved || isSaved;
      return;
    }
    steps_.push_back({std::move(state), std::move(label), std::move(mergeKey), isSaved});
    ++at_;
    if (at_ <= mostSteps_) return;
    steps_.erase(steps_.begin());
    --at_;
    clean_ = clean_ == never || clean_ == 0 ? never : clean_ - 1;
  }
  void endMerging() { steps_[at_].mergeKey.clear(); }

  [[nodiscard]] bool canUndo() const noexcept { return at_ > 0; }
  [[nodiscard]] bool canRedo() const noexcept { return at_ + 1 < steps_.size(); }
  /// The name of the edit that `undo` or `redo` would affect. Precondition: there is one.
  [[nodiscard]] const std::string& undoLabel() const { return steps_[at_].label; }
  [[nodiscard]] const std::string& redoLabel() const { return steps_[at_ + 1].label; }
  /// The names of the edits since the saved state, the last one first, without repetitions; at most `most`.
  /// None if edits were undone since then.
  [[nodiscard]] std::vector<std::string> unsavedLabels(std::size_t most) const {
    std::vector<std::string> labels;
    const std::size_t saved = clean_ == never ? 0 : clean_;
    for (std::size_t step = at_; step > saved && labels.size() < most; --step)
      if (steps_[step].isSaved && std::ranges::find(labels, steps_[step].label) == labels.end())
        labels.push_back(steps_[step].label);
    return labels;
  }
  void undo() {
    endMerging();
    if (canUndo()) --at_;
  }
  void redo() {
    if (canRedo()) ++at_;
  }

  /// Marks the current state as the saved one.
  void setClean() noexcept { clean_ = at_; }
  /// True if nothing that is saved differs from the saved state.
  [[nodiscard]] bool isClean() const noexcept {
    if (clean_ == never) return false;
    for (std::size_t step = std::min(at_, clean_) + 1; step <= std::max(at_, clean_); ++step)
      if (steps_[step].isSaved) return false;
    return true;
  }

 private:
  struct Step {
    State state;
    std::string label, mergeKey;
    bool isSaved = true;
  };
  static constexpr std::size_t never = ~std::size_t{0};
  std::vector<Step> steps_;
  std::size_t at_ = 0, clean_ = 0, mostSteps_;
};

}  // namespace fitup::viewer
