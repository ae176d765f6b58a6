#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <QObject>
#include <QTimer>

#include <viewer/gui/main_window.h>

namespace fitup::viewer {

/// A repeatable session: a list of commands, one per line (docs/reference/viewer.md). Each command waits
/// until the previous one is complete. The first one that fails ends the script.
class CommandScript : public QObject {
  Q_OBJECT

 public:
  /// `source` names the commands in errors. `before` are run first and are not counted as lines.
  CommandScript(MainWindow& window, std::vector<std::string> before, std::vector<std::string> lines,
                std::string source);
  /// Throws FileError.
  static std::vector<std::string> read(const std::filesystem::path& file);
  void start();

 signals:
  /// Emitted once. The text gives the error with its line; empty after success.
  void finished(const QString& error);

 private:
  void next();
  void run(const std::string& line);
  [[nodiscard]] bool isSettled() const;

  MainWindow& window_;
  std::vector<std::string> lines_;
  std::size_t before_, at_ = 0;
  std::string source_, error_;
  std::function<bool()> isDone_;  ///< whether the previous command is complete; unset: it is
  bool running_ = false;
  QTimer timer_;
};

}  // namespace fitup::viewer
