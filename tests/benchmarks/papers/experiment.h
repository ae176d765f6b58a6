#pragma once

#include <functional>
#include <string>
#include <vector>

namespace fitup::bench {

/// The points of a picture.
struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;
  bool fromPaper = false;
};

struct Picture {
  std::string name;  ///< name of the file, without extension
  std::string title, x, y;
  bool logX = false, logY = false;
  std::vector<Series> series;
};

/// A table or figure of a paper, with our results beside the published ones.
struct Experiment {
  std::string title;  ///< "Table 1: ..."
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<Picture> pictures;
  std::string remark;  ///< differences from the paper, with reasons; Markdown
};

/// A paper whose experiments are repeated.
struct Paper {
  std::string name;  ///< name on the command line
  std::string reference;
  std::string substitutes;  ///< which models are not those of the paper
  std::function<std::vector<Experiment>(bool quick)> run;
};

/// The papers: scd, solid, obb, boxtree, opcode.
std::vector<Paper> papers();
Paper scdPaper();
Paper solidPaper();
Paper obbPaper();
Paper boxtreePaper();
Paper opcodePaper();

std::string markdownOf(const Paper& paper, const std::vector<Experiment>& experiments);
/// Writes NAME.svg into the folder by gnuplot; returns an error message, or nothing.
std::string plot(const Picture& picture, const std::string& folder);

}  // namespace fitup::bench
