#pragma once

#include <string_view>

#include <QString>
#include <QStringList>
#include <QWidget>

namespace fitup::viewer {

/// Decides who asks before an existing file is replaced.
enum class Replacing { asksDialog, asksCaller };

/// Returns "Tracks (*.json *.csv)" for extensions in one line, ".json .csv".
QString fileFilter(const QString& label, std::string_view extensions);

// Dialogs begin in the folder of the file that was chosen last in any of them, also by an earlier run of the
// program, unless the caller proposes a file with its folder.

/// Asks for a file that exists; empty if none was chosen. `folder`: where to begin; empty: see above.
QString askWhatToOpen(QWidget* parent, const QString& title, const QString& filter,
                      const QString& folder = {});
/// The same for any number of files.
QStringList askWhatFilesToOpen(QWidget* parent, const QString& title, const QString& filter);

/// Asks where to save; empty if nothing was chosen. Adds `ending` ("png", no dot) to a name without an
/// extension before the user is asked about replacing an existing file.
QString askWhereToSave(QWidget* parent, const QString& title, const QString& proposed, const QString& filter,
                       const QString& ending, Replacing replacing = Replacing::asksDialog);

}  // namespace fitup::viewer
