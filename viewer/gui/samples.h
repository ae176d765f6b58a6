#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <QString>

namespace fitup::viewer {

class MainWindow;

/// A model that the program makes itself, to try it with.
struct Sample {
  std::string name;  ///< as in scripts
  QString title, tip;
};
std::vector<Sample> samples();

/// The file of a sample, in the user's data folder: it is there once the sample was opened.
std::filesystem::path sampleFile(const std::string& name);

/// Makes the sample in the background, and opens it, with its motion unless `alone`. Throws InputError for an
/// unknown name.
void openSample(MainWindow& window, const std::string& name, bool alone = false);

}  // namespace fitup::viewer
