#include <viewer/gui/mark_finder.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include <fitup/base/error.h>

namespace fitup::viewer {

MarkFinder::MarkFinder(std::size_t mostPieces, QObject* parent) : QObject(parent), mostPieces_(mostPieces) {}

void MarkFinder::ask(const Scene& scene, const Poses& poses, std::span<const InstancePair> pairs) {
  std::map<InstancePair, Entry> wanted;
  Entries unknown;
  bool isNew = false;
  for (const InstancePair& pair : pairs) {
    Entry entry{scene.worldFromPart(pair.first, poses), scene.worldFromPart(pair.second, poses)};
    const auto old = entries_.find(pair);
    if (old != entries_.end() && old->second.isAt(entry))
      entry = old->second;
    else
      isNew = true;
    if (!entry.isKnown) unknown.emplace_back(pair, entry);
    wanted.insert_or_assign(pair, std::move(entry));
  }
  entries_ = std::move(wanted);
  if (unknown.empty()) return task_.cancel();
  // What runs already finds the others.
  if (isNew) begin(scene, poses, std::move(unknown));
}

void MarkFinder::begin(const Scene& scene, const Poses& poses, Entries unknown) {
  task_.cancel();
  task_.hand([this, scene, poses, unknown = std::move(unknown), most = mostPieces_](
                 std::uint64_t, const Progress& progress) {
    // Each message draws the picture anew.
    constexpr std::chrono::milliseconds between{100};
    auto last = std::chrono::steady_clock::now();
    Entries found;
    const auto tell = [&] {
      if (!found.empty())
        QMetaObject::invokeMethod(
            this, [this, found] { take(found); }, Qt::QueuedConnection);
      found.clear();
      last = std::chrono::steady_clock::now();
    };
    for (const auto& [pair, asked] : unknown) {
      Entry entry = asked;
      entry.isKnown = true;
      try {
        entry.marks = std::make_shared<const IntersectionMarks>(
            marksOf(scene, poses, pair.first, pair.second, progress, most));
      } catch (const CancelledError&) {
        return tell();
      } catch (const std::exception&) {
        // Too far away, or too large: whole faces go on showing it.
      }
      found.emplace_back(pair, std::move(entry));
      if (std::chrono::steady_clock::now() - last >= between) tell();
    }
    tell();
  });
}

void MarkFinder::take(const Entries& found) {
  bool isAny = false;
  for (const auto& [pair, entry] : found) {
    const auto wanted = entries_.find(pair);
    if (wanted == entries_.end() || !wanted->second.isAt(entry)) continue;
    wanted->second = entry;
    isAny = true;
  }
  if (isAny) emit this->found();
}

std::shared_ptr<const IntersectionMarks> MarkFinder::of(const InstancePair& pair) const {
  const auto entry = entries_.find(pair);
  return entry == entries_.end() ? nullptr : entry->second.marks;
}

bool MarkFinder::isBehind() const {
  return !std::ranges::all_of(entries_, [](const auto& entry) { return entry.second.isKnown; });
}

}  // namespace fitup::viewer
