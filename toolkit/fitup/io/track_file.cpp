#include <fitup/io/track_file.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/base/text.h>
#include <fitup/io/atomic_file.h>
#include <fitup/io/detail/csv.h>
#include <fitup/io/detail/json_fields.h>
#include <fitup/io/detail/track_json.h>
#include <fitup/io/file_bytes.h>
#include <fitup/io/formats.h>

namespace fitup {
namespace {

using detail::JsonField;

constexpr int formatVersion = 1;
constexpr std::string_view formatName = "fitup-track";
const std::vector<std::string> csvColumns{"step", "path", "tx", "ty", "tz", "qx", "qy", "qz", "qw"};

bool isCsv(const std::filesystem::path& file) { return lowerExtension(file) == ".csv"; }

bool isFinite(const RigidMotion& motion) {
  const Quaternion& q = motion.rotation;
  return fitup::isFinite(motion.translation) && std::isfinite(q.x) && std::isfinite(q.y) &&
         std::isfinite(q.z) && std::isfinite(q.w);
}

std::string stepText(std::size_t step) { return "step " + std::to_string(step); }

// ---- JSON ----

Track readJson(const std::filesystem::path& file) {
  const nlohmann::json json = detail::parseJsonFile(file);
  const JsonField root(json, file.string());
  root.expectFormat(std::string(formatName), formatVersion);
  return detail::trackFrom(root);
}

std::string jsonText(const std::filesystem::path& file, const Track& track) {
  nlohmann::ordered_json head;
  head["format"] = formatName;
  head["version"] = formatVersion;
  head.update(detail::trackHeadJson(track));
  try {
    // One line per step keeps long tracks readable and comparable.
    std::string text = detail::toText(head, 1, detail::NotUtf8::refuse);
    text.erase(text.find_last_of('}'));
    while (text.back() == '\n') text.pop_back();
    text += ",\n \"steps\": [";
    for (std::size_t k = 0; k < track.steps.size(); ++k) {
      nlohmann::ordered_json step = nlohmann::ordered_json::array();
      for (const RigidMotion& pose : track.steps[k]) step.push_back(detail::motionJson(pose));
      text += (k > 0 ? ",\n  " : "\n  ") + detail::toText(step);
    }
    return text + "\n ]\n}\n";
  } catch (const nlohmann::json::exception&) {
    throw InputError(file.string(), "track '" + track.name + "'", "a name or path is not UTF-8");
  }
}

// ---- CSV ----

/// Reads a line "# key,value" before the columns.
void readCsvHead(Track& track, const std::vector<std::string>& fields,
                 const std::function<void(std::string)>& fail) {
  const std::string key = fields[0].substr(std::min<std::size_t>(2, fields[0].size()));
  const std::string value = fields.size() > 1 ? fields[1] : std::string();
  if (key == formatName && value != std::to_string(formatVersion))
    fail("version is " + value + "; this program reads " + std::to_string(formatVersion));
  if (key == "name") track.name = value;
  if (key == "unit") track.unit = value;
  if (key == "modelHash" && !(track.modelHash = hashFromText(value)))
    fail("modelHash must be 16 lower-case hexadecimal digits");
}

RigidMotion poseFrom(const std::vector<std::string>& fields, const std::function<void(std::string)>& fail) {
  double numbers[7] = {};
  for (std::size_t i = 0; i < 7; ++i) {
    const auto value = numberFromText(fields[i + 2]);
    if (!value || !std::isfinite(*value))
      fail(csvColumns[i + 2] + ": '" + fields[i + 2] + "' is not a finite number");
    else
      numbers[i] = *value;
  }
  const auto rotation = detail::asRotation({numbers[3], numbers[4], numbers[5], numbers[6]});
  if (!rotation) fail("qx to qw must be a unit quaternion");
  return {rotation.value_or(Quaternion{}), {numbers[0], numbers[1], numbers[2]}};
}

Track readCsv(const std::filesystem::path& file) {
  const auto contents = FileBytes::read(file, detail::largestJsonFile);
  std::string_view text = contents->text();
  constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";  // spreadsheets write one
  if (text.starts_with(byteOrderMark)) text.remove_prefix(byteOrderMark.size());
  detail::CsvReader reader(text);
  Track track;
  std::vector<std::string> fields;
  bool hasColumns = false;
  std::string step;
  const std::function<void(std::string)> fail = [&](const std::string& problem) {
    throw InputError(file.string(),
                     "line " + std::to_string(reader.line()) + (step.empty() ? "" : ": step " + step),
                     problem);
  };
  try {
    while (reader.next(fields)) {
      if (fields[0].starts_with('#')) {
        readCsvHead(track, fields, fail);
      } else if (!hasColumns) {
        if (fields != csvColumns) fail("the columns must be step,path,tx,ty,tz,qx,qy,qz,qw");
        hasColumns = true;
      } else {
        step = fields[0];
        if (fields.size() != csvColumns.size())
          fail("must have " + std::to_string(csvColumns.size()) + " fields");
        // Rows are grouped by step; the first step sets the order of the paths.
        const bool isFirstStep = step == "0";
        if (track.steps.empty() || (!isFirstStep && track.steps.back().size() == track.moved.size()))
          track.steps.emplace_back();
        if (step != std::to_string(track.steps.size() - 1))
          fail("rows must be sorted by step from 0, with every path in each step");
        if (isFirstStep)
          track.moved.push_back(fields[1]);
        else if (track.moved[track.steps.back().size()] != fields[1])
          fail("path: '" + fields[1] + "' where '" + track.moved[track.steps.back().size()] +
               "' is in step 0");
        track.steps.back().push_back(poseFrom(fields, fail));
      }
    }
  } catch (const InputError& error) {
    const std::string message = error.what();
    if (message.starts_with(file.string())) throw;
    throw InputError(file.string(), "", message);
  }
  step.clear();
  if (!hasColumns) fail("holds no columns step,path,tx,...");
  if (track.steps.empty()) throw InputError(file.string(), "steps", "there are none");
  if (track.steps.back().size() != track.moved.size())
    fail("step " + std::to_string(track.steps.size() - 1) + " has " +
         std::to_string(track.steps.back().size()) + " poses for " + std::to_string(track.moved.size()) +
         " moved paths");
  return track;
}

std::string csvText(const Track& track) {
  std::string text = detail::csvLine({"# " + std::string(formatName), std::to_string(formatVersion)});
  if (!track.name.empty()) text += detail::csvLine({"# name", track.name});
  text += detail::csvLine({"# unit", track.unit});
  if (track.modelHash) text += detail::csvLine({"# modelHash", hashText(*track.modelHash)});
  text += detail::csvLine(csvColumns);
  for (std::size_t k = 0; k < track.steps.size(); ++k)
    for (std::size_t i = 0; i < track.moved.size(); ++i) {
      const auto& [q, t] = track.steps[k][i];
      std::vector<std::string> fields{std::to_string(k), track.moved[i]};
      for (double value : {t.x, t.y, t.z, q.x, q.y, q.z, q.w}) fields.push_back(numberText(value));
      text += detail::csvLine(fields);
    }
  return text;
}

}  // namespace

bool isTrackFile(const std::filesystem::path& file) { return fileFamilyOf(file) == FileFamily::track; }

std::string trackExtensions(std::string_view between, std::string_view beforeLast) {
  return extensionList([](const FileFormat& format) { return format.family == FileFamily::track; }, between,
                       beforeLast);
}

Track readTrack(const std::filesystem::path& file) { return isCsv(file) ? readCsv(file) : readJson(file); }

void writeTrack(const std::filesystem::path& file, const Track& track) {
  // A file with another extension, often that of a model, could not be read.
  if (!isTrackFile(file))
    throw InputError(file.string(), "extension '" + file.extension().string() + "'",
                     "tracks are " + trackExtensions());
  for (std::size_t k = 0; k < track.steps.size(); ++k) {
    if (track.steps[k].size() != track.moved.size())
      throw InputError(file.string(), stepText(k), "does not have one pose for each moved path");
    for (std::size_t i = 0; i < track.moved.size(); ++i)
      if (!isFinite(track.steps[k][i]))
        throw InputError(file.string(), stepText(k) + ": pose of '" + track.moved[i] + "'", "is not finite");
  }
  const std::string text = isCsv(file) ? csvText(track) : jsonText(file, track);
  detail::requireReadable(text, file.string());
  writeFileAtomically(file, [&](std::ostream& stream) { stream << text; });
}

}  // namespace fitup
