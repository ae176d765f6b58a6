#pragma once

#include <string_view>

#include <QString>
#include <QWidget>

namespace fitup::viewer {

/// Decides who asks before an existing file is replaced.
enum class Replacing { asksDialog, asksCaller };

/// Returns "Tracks (*.json *.csv)" for extensions in one line, ".json .csv".
QString fileFilter(const QString& label, std::string_view extensions);

/// Asks where to save; empty if nothing was chosen. Adds `ending` ("png", no dot) to a name without an
/// extension before the user is asked about replacing an existing file.
QString askWhereToSave(QWidget* parent, const QString& title, const QString& proposed, const QString& filter,
                       const QString& ending, Replacing replacing = Replacing::asksDialog);

}  // namespace fitup::viewer
