#pragma once

#include <optional>
#include <vector>

#include <QObject>

#include <fitup/scene/face_mates.h>
#include <viewer/gui/drag_controller.h>

namespace fitup::viewer {

/// A face of an instance.
struct PickedFace {
  NodeId instance{};
  SurfaceId surface{};
  friend bool operator==(const PickedFace&, const PickedFace&) = default;
};

/// Mates by choosing two faces: the part of the first one moves to that of the second. Each mate is one
/// undoable change; the last one can be flipped. Use it in the GUI thread.
class MateTool : public QObject {
  Q_OBJECT

 public:
  MateTool(Document& document, DragController& drag);

  /// While it is active, it takes the clicks in the view.
  [[nodiscard]] bool isActive() const noexcept { return active_; }
  void setActive(bool on);
  /// Takes the face to move, or the face to mate it with, and then moves the part: with it all selected parts
  /// if it is one of them. Returns why the face cannot be taken; empty if it was.
  QString take(const PickedFace& face);
  /// The same before it is taken.
  [[nodiscard]] QString whyNot(const PickedFace& face) const;
  /// The first face of an incomplete mate.
  [[nodiscard]] const std::optional<PickedFace>& first() const noexcept { return first_; }
  /// Forgets the first face; without one, deactivates the tool.
  void escape();

  /// Whether the last mate has another sense, and nothing else has changed since.
  [[nodiscard]] bool canFlip() const noexcept { return made_ && made_->ways.size() > 1; }
  /// Makes the last mate in its other sense, in the same undoable change.
  void flip();

  /// What the first face is mated by: "Axis of bolt_1". Empty without a first face.
  [[nodiscard]] QString subject() const;
  /// What the user may do next; empty while the tool is inactive.
  [[nodiscard]] QString hint() const;
  /// What the last mate did: "bolt_1 mated with l-bracket_1: axis on axis". Empty if something else has
  /// changed since.
  [[nodiscard]] QString result() const;

 signals:
  void activeChanged();
  void changed();  ///< the first face, or what was made
  void mated(const QString& result);

 private:
  struct Made {
    PickedFace moved, fixed;
    std::vector<NodeId> group;
    std::vector<FaceMate> ways;
    std::size_t way = 0;
    bool isStep = false;  ///< it has moved something, so there is a step to undo
  };
  [[nodiscard]] std::optional<MatableFace> faceOf(const PickedFace& face) const;
  [[nodiscard]] QString nameOf(const PickedFace& face) const;
  [[nodiscard]] std::vector<NodeId> groupOf(const PickedFace& moved) const;
  void make(Made made);
  void followState();
  void clear();

  Document& document_;
  DragController& drag_;
  bool active_ = false, isMaking_ = false;
  std::optional<PickedFace> first_;
  std::optional<Made> made_;
};

}  // namespace fitup::viewer
