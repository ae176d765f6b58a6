#include <viewer/gui/command_script.h>

#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include <fitup/base/error.h>
#include <viewer/gui/instance_tree.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/placement_panel.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/time_line.h>

namespace fitup::viewer {
namespace {

using Words = std::vector<std::string>;

/// Words are parted by spaces; one in double quotes may have spaces in it. '#' begins a comment.
Words wordsOf(const std::string& line) {
  Words words;
  std::string word;
  bool quoted = false, any = false;
  const auto end = [&] {
    if (any) words.push_back(word);
    word.clear();
    any = false;
  };
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
      any = true;
    } else if (!quoted && (c == ' ' || c == '\t' || c == '\r')) {
      end();
    } else if (!quoted && !any && c == '#') {
      break;
    } else {
      word += c;
      any = true;
    }
  }
  end();
  return words;
}

double number(const std::string& text) {
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  double value = 0;
  if (!(stream >> value) || !stream.eof()) throw InputError("'" + text + "' is no number");
  return value;
}

std::size_t count(const std::string& text) {
  const double value = number(text);
  if (!(value >= 0) || value != static_cast<double>(static_cast<std::size_t>(value)))
    throw InputError("'" + text + "' is no count");
  return static_cast<std::size_t>(value);
}

template <typename Value>
Value oneOf(const std::string& text, const std::map<std::string, Value>& choices) {
  const auto found = choices.find(text);
  if (found != choices.end()) return found->second;
  std::string all;
  for (const auto& [name, value] : choices) all += (all.empty() ? "" : ", ") + name;
  throw InputError("'" + text + "' is none of " + all);
}

bool isOn(const std::string& text) { return oneOf<bool>(text, {{"on", true}, {"off", false}}); }

void expectWords(const Words& words, std::size_t least, std::size_t most) {
  if (words.size() < least + 1 || words.size() > most + 1)
    throw InputError("'" + words.front() + "' has " + std::to_string(words.size() - 1) + " arguments");
}

Session& sessionOf(MainWindow& window) {
  if (window.document().session() == nullptr) throw InputError("no model is open");
  return *window.document().session();
}

void setSection(MainWindow& window, const Words& words) {
  SectionPlane plane;
  if (words[1] != "off") {
    expectWords(words, 2, 2);
    plane.normal = oneOf<Vec3>(words[1], {{"x", {1, 0, 0}},
                                          {"y", {0, 1, 0}},
                                          {"z", {0, 0, 1}},
                                          {"-x", {-1, 0, 0}},
                                          {"-y", {0, -1, 0}},
                                          {"-z", {0, 0, -1}}});
    plane.offset = number(words[2]) * (words[1].front() == '-' ? -1 : 1);
    plane.enabled = true;
  }
  sessionOf(window).edit("Section", [&](SessionState& state) { state.section = plane; });
}

void select(MainWindow& window, const Words& words) {
  std::set<NodeId> nodes;
  const Assembly& assembly = sessionOf(window).assembly();
  for (std::size_t i = 1; i < words.size(); ++i)
    for (const NodeId node : assembly.instancesBelow(assembly.at(words[i]))) nodes.insert(node);
  window.document().select(std::move(nodes));
}

void expectFindings(MainWindow& window, std::size_t expected) {
  const int rows = window.table().model().rowCount();
  if (static_cast<std::size_t>(rows) != expected)
    throw InputError(std::to_string(rows) + " findings instead of " + std::to_string(expected));
}

struct Command {
  std::size_t least, most;  ///< arguments
  std::function<void(MainWindow&, const Words&)> run;
};

const std::map<std::string, Command>& commands() {
  static const std::map<std::string, Command> all{
      {"open", {1, 1, [](MainWindow& w, const Words& a) { w.document().open(a[1]); }}},
      {"select", {0, 1000, select}},
      {"mode",
       {1, 1,
        [](MainWindow& w, const Words& a) {
          w.drag().setMode(oneOf<DragMode>(
              a[1],
              {{"off", DragMode::off}, {"detect", DragMode::detect}, {"stop", DragMode::stopAtContact}}));
        }}},
      {"move",
       {3, 6,
        [](MainWindow& w, const Words& a) {
          Vec3 shift, turn;
          for (std::size_t i = 1; i < a.size(); ++i)
            (i <= 3 ? shift : turn)[static_cast<int>((i - 1) % 3)] = number(a[i]);
          w.placement().moveBy(shift, turn);
        }}},
      {"view",
       {1, 1,
        [](MainWindow& w, const Words& a) {
          w.view().look(oneOf<StandardView>(a[1], {{"isometric", StandardView::isometric},
                                                   {"front", StandardView::front},
                                                   {"back", StandardView::back},
                                                   {"left", StandardView::left},
                                                   {"right", StandardView::right},
                                                   {"top", StandardView::top},
                                                   {"bottom", StandardView::bottom}}));
        }}},
      {"frame",
       {0, 1,
        [](MainWindow& w, const Words& a) {
          if (a.size() > 1 && oneOf<bool>(a[1], {{"selection", true}, {"all", false}}))
            w.view().frameSelection();
          else
            w.view().frameAll();
        }}},
      {"dim", {1, 1, [](MainWindow& w, const Words& a) { w.setDimOthers(isOn(a[1])); }}},
      {"verdicts",
       {1, 1,
        [](MainWindow& w, const Words& a) {
          CheckSettings settings = w.document().settings();
          settings.verdicts = isOn(a[1]);
          w.setCheck(settings);
        }}},
      {"tolerance",
       {1, 1,
        [](MainWindow& w, const Words& a) {
          sessionOf(w).edit("Tolerance", [&](SessionState& state) { state.tolerance = number(a[1]); });
        }}},
      {"section", {1, 2, setSection}},
      {"hide", {0, 0, [](MainWindow& w, const Words&) { w.tree().toggleHidden(); }}},
      {"isolate", {0, 0, [](MainWindow& w, const Words&) { w.tree().isolate(); }}},
      {"ghost", {0, 0, [](MainWindow& w, const Words&) { w.tree().toggleGhosts(); }}},
      {"show-all", {0, 0, [](MainWindow& w, const Words&) { w.tree().showAll(); }}},
      {"finding", {0, 0, [](MainWindow& w, const Words&) { w.table().step(1); }}},
      {"step",
       {1, 1,
        [](MainWindow& w, const Words& a) {
          const auto track = w.document().track();
          if (!track || count(a[1]) >= track->steps.size()) throw InputError("there is no step " + a[1]);
          w.document().goToStep(count(a[1]));
        }}},
      {"find-clashes", {0, 0, [](MainWindow& w, const Words&) { w.document().replayTrack(); }}},
      {"record",
       {1, 1,
        [](MainWindow& w, const Words& a) {
          if (isOn(a[1]) != w.drag().isRecording()) w.timeLine().toggleRecording();
        }}},
      {"undo", {0, 0, [](MainWindow& w, const Words&) { sessionOf(w).undo(); }}},
      {"redo", {0, 0, [](MainWindow& w, const Words&) { sessionOf(w).redo(); }}},
      {"save",
       {1, 1,
        [](MainWindow& w, const Words& a) {
          sessionOf(w);
          w.document().saveProject(a[1], w.view().camera().viewpoint());
        }}},
      {"save-track", {1, 1, [](MainWindow& w, const Words& a) { w.document().saveTrack(a[1]); }}},
      {"report", {1, 1, [](MainWindow& w, const Words& a) { w.document().exportReport(a[1]); }}},
      {"screenshot",
       {1, 1,
        [](MainWindow& w, const Words& a) {
          if (!w.writePicture(QString::fromStdString(a[1]))) throw FileError(a[1] + ": cannot be written");
        }}},
      {"expect-findings", {1, 1, [](MainWindow& w, const Words& a) { expectFindings(w, count(a[1])); }}},
  };
  return all;
}

}  // namespace

CommandScript::CommandScript(MainWindow& window, std::vector<std::string> before,
                             std::vector<std::string> lines, std::string source)
    : QObject(&window),
      window_(window),
      lines_(std::move(before)),
      before_(lines_.size()),
      source_(std::move(source)) {
  lines_.insert(lines_.end(), lines.begin(), lines.end());
  timer_.setInterval(10);
  connect(&timer_, &QTimer::timeout, this, &CommandScript::next);
  connect(&window_.document(), &Document::failed, this,
          [this](const QString& message) { error_ = message.toStdString(); });
}

std::vector<std::string> CommandScript::read(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw FileError(file.string() + ": cannot be opened");
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void CommandScript::start() { timer_.start(); }

bool CommandScript::isSettled() const {
  return !const_cast<MainWindow&>(window_).document().isBusy() && !window_.isHidden();
}

void CommandScript::next() {
  if (!isSettled()) return;
  if (playing_) {
    if (window_.document().step() < playTo_) {
      window_.document().goToStep(window_.document().step() + 1);
      return;
    }
    playing_ = false;
  }
  if (error_.empty() && at_ < lines_.size()) {
    const std::string line = lines_[at_++];
    try {
      run(line);
    } catch (const Error& error) {
      error_ = error.what();
    }
    if (error_.empty()) return;
  }
  timer_.stop();
  if (!error_.empty() && at_ > before_)
    error_ = source_ + ", line " + std::to_string(at_ - before_) + ": " + error_;
  emit finished(QString::fromStdString(error_));
}

void CommandScript::run(const std::string& line) {
  const Words words = wordsOf(line);
  if (words.empty()) return;
  if (words.front() == "play") {
    expectWords(words, 1, 1);
    const auto track = window_.document().track();
    if (!track || count(words[1]) >= track->steps.size()) throw InputError("there is no step " + words[1]);
    playTo_ = count(words[1]);
    playing_ = true;
    return;
  }
  if (words.front() == "quit") {
    at_ = lines_.size();
    return;
  }
  const auto found = commands().find(words.front());
  if (found == commands().end()) throw InputError("there is no command '" + words.front() + "'");
  expectWords(words, found->second.least, found->second.most);
  found->second.run(window_, words);
}

}  // namespace fitup::viewer
