#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <QWidget>

#include <fitup/io/read_assembly.h>

namespace fitup::viewer {

/// Asks how files are to be read, of what matters for them. Nothing if the user changes nothing.
std::optional<ImportSettings> askImportSettings(QWidget* parent,
                                                const std::vector<std::filesystem::path>& files,
                                                ImportSettings settings);

}  // namespace fitup::viewer
