#include "assimp_file.h"

#include <assimp/DefaultIOSystem.h>
#include <assimp/MemoryIOWrapper.h>
#include <assimp/DefaultLogger.hpp>
#include <assimp/LogStream.hpp>
#include <assimp/ProgressHandler.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/io/file_bytes.h>

#include "text_words.h"

namespace fitup::importers {
namespace {

class ProgressBridge : public Assimp::ProgressHandler {
 public:
  explicit ProgressBridge(ProgressLines& lines) : lines_(lines) {}
  bool Update(float fraction) override {
    lines_.report("reading", static_cast<double>(fraction));
    return true;
  }

 private:
  ProgressLines& lines_;
};

/// Whether the message is about something without a shape.
bool isHarmless(std::string_view message) {
  constexpr std::array<std::string_view, 8> subjects{
      "aterial", "exture", "nimation", "hierarchy information", "ormal", "anim_info", "amera", "olor"};
  return std::any_of(subjects.begin(), subjects.end(), [&](std::string_view subject) {
    return message.find(subject) != std::string_view::npos;
  });
}

class Complaints : public Assimp::LogStream {
 public:
  explicit Complaints(std::vector<std::string>& list) : list_(list) {}
  void write(const char* line) override {
    // "Warn,  T0: text\n"
    std::string_view text = line;
    const std::size_t colon = text.find(": ");
    if (colon != std::string_view::npos && colon < 16) text.remove_prefix(colon + 2);
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
    std::string message = validUtf8(text);
    if (!isHarmless(message) && std::find(list_.begin(), list_.end(), message) == list_.end())
      list_.push_back(std::move(message));
  }

 private:
  std::vector<std::string>& list_;
};

/// Collects the library's messages, which go to one place for the whole process.
class Listening {
 public:
  explicit Listening(std::vector<std::string>& list) {
    Assimp::DefaultLogger::create("", Assimp::Logger::NORMAL, 0);
    // The logger owns the stream.
    Assimp::DefaultLogger::get()->attachStream(new Complaints(list),
                                               Assimp::Logger::Warn | Assimp::Logger::Err);
  }
  ~Listening() { Assimp::DefaultLogger::kill(); }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
};

/// Serves the file itself, without a byte-order mark, and the files that it refers to.
class Files : public Assimp::DefaultIOSystem {
 public:
  Files(const std::filesystem::path& file, std::set<std::filesystem::path> others, AssimpFile::PathOf pathOf)
      : file_(file.string()),
        folder_(file_.substr(0, file_.rfind('/') + 1)),
        bytes_(FileBytes::map(file)),
        others_(std::move(others)),
        pathOf_(std::move(pathOf)) {}

  bool Exists(const char* name) const override {
    const auto path = pathFor(name);
    return path && DefaultIOSystem::Exists(path->c_str());
  }
  Assimp::IOStream* Open(const char* name, const char* mode) override {
    if (name == file_) {
      const std::string_view text = withoutByteOrderMark(bytes_->text());
      return new Assimp::MemoryIOStream(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    }
    const auto path = pathFor(name);
    return path ? DefaultIOSystem::Open(path->c_str(), mode) : nullptr;
  }

 private:
  /// Returns the path of what the library asks for: the file itself or one of the others.
  [[nodiscard]] std::optional<std::string> pathFor(const std::string& name) const {
    if (name == file_) return name;
    if (!name.starts_with(folder_)) return std::nullopt;
    const std::string inFolder = name.substr(folder_.size());
    std::string reference = pathOf_ ? pathOf_(inFolder) : inFolder;
    std::replace(reference.begin(), reference.end(), '\\', '/');
    const auto path = (std::filesystem::path(folder_) / reference).lexically_normal();
    return others_.contains(path) ? std::optional(path.string()) : std::nullopt;
  }

  std::string file_, folder_;
  std::shared_ptr<const FileBytes> bytes_;
  std::set<std::filesystem::path> others_;
  AssimpFile::PathOf pathOf_;
};

}  // namespace

AssimpFile::AssimpFile(const std::filesystem::path& file, const std::string& format, ProgressLines& progress,
                       std::set<std::filesystem::path> others, PathOf pathOf) {
  progress.report("reading", 0);
  const Listening listening(complaints_);
  importer_.SetIOHandler(new Files(file, std::move(others), std::move(pathOf)));  // the importer owns it
  importer_.SetProgressHandler(new ProgressBridge(progress));                     // the importer owns it
  if (importer_.ReadFile(file.string(), 0) != nullptr) return;
  const std::string problem = validUtf8(importer_.GetErrorString());
  if (problem.find("bad_alloc") != std::string::npos) throw std::bad_alloc();
  throw InputError("not readable as " + format + ": " + problem);
}

}  // namespace fitup::importers
