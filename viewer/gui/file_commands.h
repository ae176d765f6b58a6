#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include <QMenu>

#include <viewer/gui/document.h>

namespace fitup::viewer {

class Commands;
class MainWindow;

/// What users do with files: open, save, export; recent files; what a crash left; what is asked before a
/// session ends.
class FileCommands : public QObject {
  Q_OBJECT

 public:
  /// `remembers` off: recent files are neither kept nor offered.
  FileCommands(MainWindow& window, bool remembers);
  void addTo(Commands& commands);
  /// Lists the recent files whenever the menu opens.
  void listRecentIn(QMenu& menu);
  /// Opens what a program that is gone left behind, if the user wants it; true then.
  bool offerRestore();
  /// False if there is something to save and the user does not want to close.
  bool mayClose();
  /// As `Document::openAll`. Asks first where another model would take the place of what was not saved, and
  /// where the models of a project are.
  void open(std::vector<std::filesystem::path> files);

 private:
  void askOpen();
  void askImportSettings();
  /// Where the models of a project are that are not where it says; empty if all are. Nothing if the user does
  /// not tell. `folder`: where the project is kept, if anywhere.
  std::optional<std::vector<std::filesystem::path>> locateModels(const std::filesystem::path& project,
                                                                 const std::filesystem::path& folder);
  bool save(bool underNewName);
  /// Empty if none was chosen.
  std::filesystem::path askProjectName(const std::filesystem::path& proposed);
  /// Saves over what is expected there. What fails is reported, and where somebody else has changed, made or
  /// removed the file the user says what to do. False if nothing was saved.
  bool save(const std::filesystem::path& file, const FileVersion& expected);
  /// Asks, and saves there or under another name.
  bool saveInSpiteOf(const std::filesystem::path& file, const FileVersion& expected,
                     const FileVersion& found);
  void exportReport();
  void savePicture();
  void remember(std::span<const std::filesystem::path> files);
  void fillRecent(QMenu& menu);

  MainWindow& window_;
  Document& document_;
  bool remembers_;
};

}  // namespace fitup::viewer
