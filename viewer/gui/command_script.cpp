#include <viewer/gui/command_script.h>

#include <fstream>

#include <fitup/base/error.h>
#include <viewer/gui/script_commands.h>

namespace fitup::viewer {

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
  const LiveCheck& check = window_.document().check();
  connect(&check, &LiveCheck::answered, this, [&] {
    if (!check.answer().error.empty()) error_ = check.answer().error;
  });
}

std::vector<std::string> CommandScript::read(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw FileError(file.string() + ": cannot be opened");
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  // A folder can be opened, but not read.
  if (stream.bad()) throw FileError(file.string() + ": cannot be read");
  return lines;
}

void CommandScript::start() { timer_.start(); }

bool CommandScript::isSettled() const { return !window_.isBusy() && !window_.isHidden(); }

void CommandScript::next() {
  if (running_ || !pause_.hasExpired() || !isSettled()) return;
  if (playing_) {
    if (window_.document().motion().step() < playTo_) {
      window_.document().motion().goTo(window_.document().motion().step() + 1);
      return;
    }
    playing_ = false;
  }
  if (awaitsDepths_ && window_.document().check().isMeasuringDepths()) return;
  awaitsDepths_ = false;
  if (error_.empty() && at_ < lines_.size()) {
    const std::string line = lines_[at_++];
    running_ = true;  // a command may process events, and so the timer's
    try {
      run(line);
    } catch (const Error& error) {
      error_ = error.what();
    }
    running_ = false;
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
    const auto track = window_.document().motion().track();
    if (!track || countOf(words[1]) >= track->steps.size()) throw InputError("there is no step " + words[1]);
    playTo_ = countOf(words[1]);
    if (playTo_ < window_.document().motion().step())
      throw InputError("the motion is at step " + std::to_string(window_.document().motion().step()) +
                       " already");
    playing_ = true;
    return;
  }
  if (words.front() == "pause") {
    expectWords(words, 1, 1);
    const double seconds = numberOf(words[1]);
    constexpr double day = 86400;
    if (!(seconds >= 0 && seconds <= day)) throw InputError("'" + words[1] + "' is no time to wait");
    pause_.setRemainingTime(static_cast<qint64>(1000 * seconds));
    return;
  }
  if (words.front() == "depths") {
    expectWords(words, 0, 0);
    (void)sessionOf(window_);
    if (!window_.document().check().settings().verdicts)
      throw InputError("depths come with verdicts on alone");
    awaitsDepths_ = true;
    return;
  }
  if (words.front() == "quit") {
    expectWords(words, 0, 0);
    at_ = lines_.size();
    return;
  }
  const auto found = scriptCommands().find(words.front());
  if (found == scriptCommands().end()) throw InputError("there is no command '" + words.front() + "'");
  expectWords(words, found->second.least, found->second.most);
  found->second.run(window_, words);
}

}  // namespace fitup::viewer
