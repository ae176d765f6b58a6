#pragma once

#include <functional>

#include <QScrollArea>
#include <QVBoxLayout>

#include <viewer/gui/flow_layout.h>

namespace fitup::viewer {

class MainWindow;

/// Covers the view while nothing is open: opens files, recent files with their pictures, and samples, and
/// begins the tour.
class StartPage : public QScrollArea {
  Q_OBJECT

 public:
  /// Over `view`, which owns it.
  StartPage(MainWindow& window, QWidget& view);
  /// Lists the recent files and samples with their present pictures.
  void fill();

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QWidget* makeHead();
  void addCard(FlowLayout& cards, const QString& title, const QString& tip, const QImage& picture,
               const std::function<void()>& open);

  MainWindow& window_;
  FlowLayout *recent_, *samples_;
  QWidget *recentTitle_, *recentCards_;
};

}  // namespace fitup::viewer
