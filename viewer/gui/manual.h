#pragma once

#include <filesystem>
#include <vector>

#include <QWidget>

namespace fitup::viewer {

/// Places of the manual's first page, best first: installed beside a program of this folder, or built with
/// it. Only these are ever opened.
std::vector<std::filesystem::path> manualPlaces(const std::filesystem::path& programFolder);

/// Opens the manual in the user's browser; if it is not there, says where it would be.
void openManual(QWidget* parent, const std::filesystem::path& programFolder);

}  // namespace fitup::viewer
