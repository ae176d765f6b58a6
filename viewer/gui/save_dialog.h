#pragma once

#include <QString>
#include <QWidget>

namespace fitup::viewer {

/// Asks where to save; empty if nothing was chosen. A name without an ending gets `ending` ("png", no dot)
/// before the question whether a file that exists is to be replaced.
QString askWhereToSave(QWidget* parent, const QString& title, const QString& proposed, const QString& filter,
                       const QString& ending);

}  // namespace fitup::viewer
