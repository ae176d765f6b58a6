#pragma once

#include <string_view>

#include <QString>
#include <QWidget>

namespace fitup::viewer {

/// Who asks whether a file that is there already is to be replaced.
enum class Replacing { asksDialog, asksCaller };

/// "Tracks (*.json *.csv)" of extensions in one line, ".json .csv".
QString fileFilter(const QString& label, std::string_view extensions);

/// Asks where to save; empty if nothing was chosen. A name without an ending gets `ending` ("png", no dot)
/// before the question whether a file that exists is to be replaced.
QString askWhereToSave(QWidget* parent, const QString& title, const QString& proposed, const QString& filter,
                       const QString& ending, Replacing replacing = Replacing::asksDialog);

}  // namespace fitup::viewer
