#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <QObject>
#include <QTimer>

#include <viewer/core/background_job.h>
#include <viewer/core/session.h>
#include <viewer/gui/section_cap_node.h>

namespace fitup::viewer {

/// The caps of the session's section planes, as they are shown. Caps that can be computed within a frame
/// follow every change; larger ones are hidden until nothing changes for a moment. Whether a large part is
/// closed is found out in the background; it has an outline meanwhile.
class ShownSection : public QObject {
  Q_OBJECT

 public:
  ShownSection();
  [[nodiscard]] osg::Group* node() noexcept { return drawn_.node(); }

  /// What the caps depend on.
  struct Shown {
    std::vector<SectionPlane> planes;
    Poses poses;
    std::set<NodeId> hidden;
    std::optional<double> tolerance;
    PartLooks looks{};
    friend bool operator==(const Shown&, const Shown&) = default;
  };
  /// The session must be the same, and live, until `clear`.
  void show(const Session& session, Shown shown, CapLooks looks);
  void clear();
  /// Marks the cap under the cursor. Returns false if that was already marked.
  bool setLit(std::optional<NodeId> instance);
  /// Fits the distance of the hatching's lines to the picture; it doubles and halves when the view is zoomed.
  void setHatching(const Camera& camera, double pixels);
  void setPixelRatio(float ratio) { drawn_.setPixelRatio(ratio); }

  /// Sets how long caps may take that follow every change, in milliseconds. 30 by default.
  void setBudget(double milliseconds) { budget_ = milliseconds; }

  [[nodiscard]] const SectionCaps& caps() const noexcept { return caps_; }
  /// Returns the nearest filled cap on a ray, if caps are shown.
  [[nodiscard]] std::optional<CapHit> pick(const Ray& ray) const {
    return pause_.isActive() ? std::nullopt : caps_.pick(ray);
  }
  /// True while the caps are not those of the last `show`.
  [[nodiscard]] bool isBehind() const { return pause_.isActive() || examining_ != nullptr; }

 signals:
  void changed();  ///< after `show`: more caps are known

 private:
  void compute();
  void examine();
  void draw();

  const Session* session_ = nullptr;
  SectionCaps caps_;
  SectionCapNode drawn_;
  Shown shown_;
  CapLooks looks_;
  std::map<NodeId, CapStyle> styles_;
  PartLooks styledFor_;
  std::set<PartId> examined_;
  std::unique_ptr<BackgroundJob> examining_;
  QTimer pause_;
  double budget_ = 30;
  double lastMilliseconds_ = 0, formerMilliseconds_ = 0;  ///< of the last two computations
};

}  // namespace fitup::viewer
