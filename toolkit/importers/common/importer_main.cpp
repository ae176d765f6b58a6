#include "importer_main.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <new>
#include <optional>

#include <fitup/base/error.h>
#include <fitup/io/import_folder.h>
#include <fitup/io/importer_process.h>
#include <fitup/io/read_assembly.h>

#include "confinement.h"

namespace fitup::importers {
namespace {

constexpr std::chrono::milliseconds shortestPause{50};

void writeLine(std::FILE* out, const std::string& line) {
  std::string text = line;
  std::replace(text.begin(), text.end(), '\n', ' ');
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), out);
  std::fflush(out);
}

std::string fractionText(double fraction) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, fraction, std::chars_format::fixed, 4);
  return {buffer, end.ptr};
}

std::string helpText(std::string_view program, std::string_view summary, const std::vector<Option>& options) {
  std::string text = "usage: " + std::string(program) + " INPUT OUTPUT.fitup";
  for (const Option& option : options) text += " [--" + option.name + " VALUE]";
  text += "\n" + std::string(summary) + "\n";
  for (const Option& option : options)
    text += "  --" + option.name + "  " + option.help + " (default " + option.value + ")\n";
  text += "  --root  folder that referenced files must be in (default: that of INPUT)\n";
  return text;
}

/// The words of the command line.
struct Words {
  std::string input, output;
  std::map<std::string, std::string, std::less<>> options;
  /// Removes an option and returns its value; empty if it was not given.
  std::string take(const char* name) {
    const auto node = options.extract(name);
    return node.empty() ? std::string() : node.mapped();
  }
};

Words parse(int argc, char** argv, const std::vector<Option>& options) {
  Words words{{}, {}, {{"root", ""}, {"copies", ""}}};
  for (const Option& option : options) words.options[option.name] = option.value;
  std::vector<std::string> positional;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (!word.starts_with("--")) {
      positional.push_back(word);
      continue;
    }
    const auto found = words.options.find(word.substr(2));
    if (found == words.options.end()) throw InputError("unknown option " + word);
    if (++i == argc) throw InputError("option " + word + " needs a value");
    found->second = argv[i];
  }
  if (positional.size() != 2) throw InputError("expected INPUT and OUTPUT; see --help");
  words.input = positional[0];
  words.output = positional[1];
  return words;
}

/// Returns the folder that a file is to be written to.
std::filesystem::path folderOf(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

/// Applies the confinement to this process and prints what is in force.
int sayConfinement() {
  for (const std::string& line : confine({}).lines()) writeLine(stdout, "progress -1 " + line);
  writeLine(stdout, "done");
  return 0;
}

}  // namespace

void ProgressLines::report(std::string_view phase, double fraction) {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (phase == phase_ && (fraction <= fraction_ || now - last_ < shortestPause)) return;
  phase_ = phase;
  fraction_ = fraction;
  last_ = now;
  write();
}

void ProgressLines::repeat() {
  const std::lock_guard lock(mutex_);
  write();
}

void ProgressLines::write() {
  if (out_ != nullptr)
    writeLine(out_,
              "progress " + (fraction_ < 0 ? "-1" : fractionText(std::min(fraction_, 1.0))) + " " + phase_);
}

StillWorking::StillWorking(ProgressLines& progress, std::string_view phase,
                           std::chrono::milliseconds interval) {
  progress.report(phase, -1);
  speaker_ = std::jthread([&progress, interval](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    while (!never.wait_for(lock, stop, interval, [&] { return stop.stop_requested(); })) progress.repeat();
  });
}

double Arguments::number(std::string_view name) const {
  const std::string& value = text(name);
  double result = 0;
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), result);
  if (parsed.ec != std::errc() || parsed.ptr != value.data() + value.size() || !std::isfinite(result))
    throw InputError("option --" + std::string(name), "'" + value + "'", "not a number");
  return result;
}

const std::string& Arguments::unit() const {
  const std::string& unit = text("unit");
  if (!isLengthUnit(unit))
    throw InputError("option --unit", "'" + unit + "'", "must be one of mm, cm, m, in, ft");
  return unit;
}

UpAxis Arguments::upAxis() const {
  const std::optional<UpAxis> axis = upAxisFromName(text("up"));
  if (!axis) throw InputError("option --up", "'" + text("up") + "'", "must be one of x, y, z");
  return *axis;
}

int runMain(int argc, char** argv, std::string_view summary, const std::vector<Option>& options,
            const std::function<Model(Arguments&, ProgressLines&)>& import) {
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "--help") {
      std::fputs(helpText(std::filesystem::path(argv[0]).filename().string(), summary, options).c_str(),
                 stdout);
      return 0;
    }
  std::signal(SIGXFSZ, SIG_IGN);  // a limit of file sizes becomes an error of the write
  ProgressLines progress;
  try {
    if (argc == 2 && std::string_view(argv[1]) == "--confinement") return sayConfinement();
    Words words = parse(argc, argv, options);
    const std::string root = words.take("root");
    std::filesystem::path copies = words.take("copies");
    // For a caller that made no folder, such as a person.
    std::optional<ImportFolder> own;
    ImportFolder::Copy copy{words.input, root, {}};
    if (copies.empty()) {
      own.emplace();
      copies = own->copies();
      copy = own->copy(words.input, root.empty() ? std::nullopt : std::optional<std::filesystem::path>(root));
    }
    Arguments arguments{SourceFile(copy.file, copy.root, copies), words.output, std::move(words.options)};
    Allowed allowed{{copy.root}, {folderOf(arguments.output), copies.parent_path()}, {}};
    if (own) allowed.toTidy.push_back(own->path().parent_path());
    (void)confine(allowed);
    const Model model = import(arguments, progress);
    const StillWorking sign(progress, "writing");
    writeModelFile(arguments.output, model, Progress({}, [&](std::string_view, double fraction) {
                     progress.report("writing", fraction);
                   }));
    writeLine(stdout, "done");
    return 0;
  } catch (const std::bad_alloc&) {
    writeLine(stdout, "error out of memory");
    return importer_protocol::outOfMemoryExitCode;
  } catch (const std::exception& error) {
    writeLine(stdout, std::string("error ") + error.what());
    return importer_protocol::refusedExitCode;
  }
}

}  // namespace fitup::importers
