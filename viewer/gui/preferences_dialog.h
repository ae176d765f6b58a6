#pragma once

#include <vector>

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>

#include <viewer/gui/number_field.h>
#include <viewer/gui/script_words.h>

namespace fitup::viewer {

class MainWindow;

/// The settings that the window remembers, in one place. Every change is a command and takes effect at once;
/// what other commands change shows here. It does not block the window.
class PreferencesDialog : public QDialog {
  Q_OBJECT

 public:
  explicit PreferencesDialog(MainWindow& window);
  /// Shows the present settings.
  void refresh();

 private:
  QFormLayout* addSection(const QString& title);
  /// A choice between commands such as "theme dark", which are marked in menus.
  void addChoice(QFormLayout& section, const QString& label, const char* command, const QString& tip);
  void addSwitch(QFormLayout& section, const char* command);
  void addBackground(QFormLayout& section);
  void addTolerance(QFormLayout& section);
  void addCache(QFormLayout& section);
  void showCache();
  void run(const Words& line);

  MainWindow& window_;
  std::vector<QComboBox*> choices_;
  std::vector<QCheckBox*> switches_;
  QPushButton *background_ = nullptr, *ownBackground_ = nullptr;
  QCheckBox* hasTolerance_ = nullptr;
  NumberField* tolerance_ = nullptr;
  QLabel* cache_ = nullptr;
};

}  // namespace fitup::viewer
