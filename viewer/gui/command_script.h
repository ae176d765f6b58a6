#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <QObject>
#include <QTimer>

#include <viewer/gui/main_window.h>

namespace fitup::viewer {

/// A repeatable session: a list of commands, one a line, docs/reference/viewer.md. Each waits until what the one
/// before began has ended. The first one that fails ends the script.
class CommandScript : public QObject {
  Q_OBJECT

 public:
  /// `source` names the commands in errors. `before` are run first and are no lines of it.
  CommandScript(MainWindow& window, std::vector<std::string> before, std::vector<std::string> lines,
                std::string source);
  /// Throws FileError.
  static std::vector<std::string> read(const std::filesystem::path& file);
  void start();

 signals:
  /// Once. The text says what failed, with its line, or is empty.
  void finished(const QString& error);

 private:
  void next();
  void run(const std::string& line);
  [[nodiscard]] bool isSettled() const;

  MainWindow& window_;
  std::vector<std::string> lines_;
  std::size_t before_, at_ = 0;
  std::string source_, error_;
  std::function<bool()> isDone_;  ///< whether the command before has ended; unset: it has
  bool running_ = false;
  QTimer timer_;
};

}  // namespace fitup::viewer
