#include "experiment.h"

#include <filesystem>

#include <fmt/format.h>

#include <fitup/io/atomic_file.h>

#include "../gnuplot.h"

namespace fitup::bench {
namespace {

std::string rowText(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

/// Returns a text in gnuplot's single quotes, in which a quote is written twice.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "''" : std::string(1, c);
  return out + "'";
}

}  // namespace

std::vector<Paper> papers() { return {scdPaper(), solidPaper(), obbPaper(), boxtreePaper(), opcodePaper()}; }

std::string markdownOf(const Paper& paper, const std::vector<Experiment>& experiments) {
  std::string text =
      fmt::format("## {}\n\n{}.\n\nModels: {}.\n", paper.name, paper.reference, paper.substitutes);
  for (const Experiment& e : experiments) {
    text += "\n### " + e.title + "\n\n" + rowText(e.columns) + "|";
    for (std::size_t i = 0; i < e.columns.size(); ++i) text += "---|";
    text += "\n";
    for (std::vector<std::string> row : e.rows) {
      row.resize(e.columns.size());
      text += rowText(row);
    }
    if (!e.remark.empty()) text += "\n" + e.remark + "\n";
    for (const Picture& p : e.pictures) text += fmt::format("\n![{}](papers/{}.svg)\n", p.title, p.name);
  }
  return text;
}

std::string plot(const Picture& picture, const std::string& folder) {
  std::filesystem::create_directories(folder);
  const std::string base = (std::filesystem::path(folder) / picture.name).string();
  std::string script = fmt::format(
      "set terminal svg size 720,480 font 'sans,13' background '#ffffff'\nset output {}\nset title "
      "{}\n"
      "set xlabel {}\nset ylabel {}\nset key outside bottom center horizontal\nset grid\n{}{}",
      quoted(base + ".svg"), quoted(picture.title), quoted(picture.x), quoted(picture.y),
      picture.logX ? "set logscale x\n" : "", picture.logY ? "set logscale y\n" : "");
  if (!picture.logY) script += "set yrange [0:*]\n";
  std::string plots;
  for (std::size_t i = 0; i < picture.series.size(); ++i) {
    script += fmt::format("$data{} << EOD\n", i);
    for (const auto& [x, y] : picture.series[i].points) script += fmt::format("{:.9g} {:.9g}\n", x, y);
    script += "EOD\n";
    plots += fmt::format("{}$data{} using 1:2 with linespoints pt 7 ps 0.5 lw 2 title {}", i == 0 ? "" : ", ",
                         i, quoted(picture.series[i].name));
  }
  script += "plot " + plots + "\n";
  const std::string file = base + ".gp";
  writeFileAtomically(file, [&](std::ostream& out) { out << script; });
  const Gnuplot ran = runGnuplot({file});
  std::filesystem::remove(file);
  if (ran == Gnuplot::badly) return "gnuplot failed on " + picture.name;
  return ran == Gnuplot::notThere ? "gnuplot is not installed: no pictures" : "";
}

}  // namespace fitup::bench
