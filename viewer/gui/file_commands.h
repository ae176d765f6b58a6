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

/// What was opened before: a project, a model, or several models as one.
struct RecentFile {
  QString key;   ///< the whole paths; identifies the entry
  QString text;  ///< as users read it
  std::vector<std::filesystem::path> files;
};

/// The user's commands for files: open, save, export; recent files; restoring after a crash; the questions
/// before a session ends.
class FileCommands : public QObject {
  Q_OBJECT

 public:
  /// `remembers` false: recent files are neither stored nor offered.
  FileCommands(MainWindow& window, bool remembers);
  void addTo(Commands& commands);
  /// Latest first; nothing if `remembers` is false.
  [[nodiscard]] std::vector<RecentFile> recent() const;
  /// Stores a picture of the view for the start page, if something is open and remembered.
  void keepThumbnail();
  /// Lists the recent files whenever the menu opens.
  void listRecentIn(QMenu& menu);
  /// Opens what a program that has ended left behind, if the user wants it; returns true in that case.
  bool offerRestore();
  /// Mentions it in the window, without asking.
  void tellOfLeftovers();
  /// Returns false if there are unsaved changes and the user does not want to close.
  bool mayClose();
  /// Opens files like `Document::openAll`. Asks first if unsaved changes would be lost, and if the models of
  /// a project are not found.
  void open(std::vector<std::filesystem::path> files);

 private:
  void askOpen();
  void askImportSettings();
  /// Returns the new locations of a project's models; an empty list if all are in place, and nothing if the
  /// user gives no location. `folder`: that of the project, if any.
  std::optional<std::vector<std::filesystem::path>> locateModels(const std::filesystem::path& project,
                                                                 const std::filesystem::path& folder);
  bool save(bool underNewName);
  /// Empty if none was chosen.
  std::filesystem::path askProjectName(const std::filesystem::path& proposed);
  /// Saves over the expected version. Reports errors; if another program has changed, created or removed the
  /// file, the user decides. Returns false if nothing was saved.
  bool save(const std::filesystem::path& file, const FileVersion& expected);
  /// Asks the user, and saves there or under another name.
  bool saveInSpiteOf(const std::filesystem::path& file, const FileVersion& expected,
                     const FileVersion& found);
  void exportReport();
  void savePicture();
  void remember(std::span<const std::filesystem::path> files);
  void fillRecent(QMenu& menu);
  /// The files that are open, as they are remembered. Precondition: the document has a session.
  [[nodiscard]] std::vector<std::filesystem::path> openFiles() const;

  MainWindow& window_;
  Document& document_;
  bool remembers_;
};

}  // namespace fitup::viewer
