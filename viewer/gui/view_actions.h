#pragma once

#include <functional>

#include <QMainWindow>
#include <QMenu>

#include <viewer/gui/document.h>

namespace fitup::viewer {

class SceneView;

/// Ways to look at the model, named views, which panels are shown.
class ViewActions : public QObject {
  Q_OBJECT

 public:
  ViewActions(Document& document, SceneView& view, QMainWindow& window);
  void addTo(QMenu& menu);
  /// Whether parts without findings are dimmed.
  [[nodiscard]] QAction& dim() noexcept { return *dim_; }

 private:
  void makeNavigation(QMenu& menu);
  void editSection(const std::function<void(SectionPlane&)>& change);
  void cutAcrossSight();
  void fillNamedViews();
  void keepView();
  void makePanels(QMenu& menu);

  Document& document_;
  SceneView& view_;
  QMainWindow& window_;
  QMenu* named_ = nullptr;
  QAction* dim_;
};

}  // namespace fitup::viewer
