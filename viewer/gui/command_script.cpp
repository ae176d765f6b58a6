#include <viewer/gui/command_script.h>

#include <fstream>

#include <fitup/base/error.h>
#include <viewer/gui/commands.h>

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
  if (running_ || !isSettled()) return;
  if (isDone_ && !isDone_()) return;
  isDone_ = {};
  if (error_.empty() && at_ < lines_.size()) {
    const std::string line = lines_[at_++];
    running_ = true;  // a command may process events, including those of the timer
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
  isDone_ = window_.commands().run(words);
  if (words.front() == "quit") at_ = lines_.size();
}

}  // namespace fitup::viewer
