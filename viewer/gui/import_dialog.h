#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <QWidget>

#include <fitup/io/read_assembly.h>

namespace fitup::viewer {

/// Asks for the import settings that matter for these files. Empty if the user changes nothing.
std::optional<ImportSettings> askImportSettings(QWidget* parent,
                                                const std::vector<std::filesystem::path>& files,
                                                ImportSettings settings);

}  // namespace fitup::viewer
