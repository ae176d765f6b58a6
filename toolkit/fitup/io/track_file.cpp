#include <fitup/io/track_file.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <optional>
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

constexpr int newestVersion = 2;
constexpr std::string_view formatName = "fitup-track";
/// Version 1 has the first nine. In version 2 a row has a pose (with or without a pivot) or a turn; the other
/// fields are empty.
const std::vector<std::string> csvColumns{"step", "path", "tx", "ty", "tz",      "qx",     "qy",
                                          "qz",   "qw",   "px", "py", "pz",      "ax",     "ay",
                                          "az",   "dx",   "dy", "dz", "degrees", "advance"};
constexpr std::size_t poseColumn = 2, pivotColumn = 9, turnColumn = 12, endColumn = 20;

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
  const int version = root.expectFormat(std::string(formatName), 1, newestVersion);
  return detail::trackFrom(root, version);
}

std::string jsonText(const std::filesystem::path& file, const Track& track) {
  nlohmann::ordered_json head;
  head["format"] = formatName;
  head["version"] = detail::trackVersion(track);
  head.update(detail::trackHeadJson(track));
  try {
    // One line per step keeps long tracks readable and comparable.
    std::string text = detail::toText(head, 1, detail::NotUtf8::refuse);
    text.erase(text.find_last_of('}'));
    while (text.back() == '\n') text.pop_back();
    text += ",\n \"steps\": [";
    for (std::size_t k = 0; k < track.steps.size(); ++k) {
      nlohmann::ordered_json step = nlohmann::ordered_json::array();
      for (std::size_t i = 0; i < track.moved.size(); ++i) step.push_back(detail::poseJson(track, k, i));
      text += (k > 0 ? ",\n  " : "\n  ") + detail::toText(step);
    }
    return text + "\n ]\n}\n";
  } catch (const nlohmann::json::exception&) {
    throw InputError(file.string(), "track '" + track.name + "'", "a name or path is not UTF-8");
  }
}

// ---- CSV ----

using Fail = std::function<void(std::string)>;

/// The columns of a version, separated by commas.
std::vector<std::string> columnsOf(int version) {
  return {csvColumns.begin(), csvColumns.begin() + (version == 1 ? pivotColumn : endColumn)};
}

/// Reads a line "# key,value" before the columns. `version` is that of the file, if it says one.
void readCsvHead(Track& track, std::optional<int>& version, const std::vector<std::string>& fields,
                 const Fail& fail) {
  const std::string key = fields[0].substr(std::min<std::size_t>(2, fields[0].size()));
  const std::string value = fields.size() > 1 ? fields[1] : std::string();
  if (key == formatName) {
    if (value != "1" && value != "2")
      fail("version is " + value + "; this program reads 1 to " + std::to_string(newestVersion));
    version = value == "1" ? 1 : 2;
  }
  if (key == "name") track.name = value;
  if (key == "unit") track.unit = value;
  if (key == "modelHash" && !(track.modelHash = hashFromText(value)))
    fail("modelHash must be 16 lower-case hexadecimal digits");
}

/// Reads a pose, and in version 2 its way, as the next one of the last step.
void readCsvPose(Track& track, const std::vector<std::string>& fields, detail::RotationReader& rotations,
                 const Fail& fail) {
  const std::size_t k = track.steps.size() - 1, i = track.steps.back().size();
  const auto number = [&](std::size_t column) {
    const auto value = numberFromText(fields[column]);
    if (!value || !std::isfinite(*value))
      fail(csvColumns[column] + ": '" + fields[column] + "' is not a finite number");
    return value.value_or(0);
  };
  const auto vector = [&](std::size_t column) {
    const double x = number(column), y = number(column + 1), z = number(column + 2);
    return Vec3{x, y, z};
  };
  const auto isEmpty = [&](std::size_t from, std::size_t to) {
    for (std::size_t column = from; column < std::min(to, fields.size()); ++column)
      if (!fields[column].empty()) return false;
    return true;
  };
  StepWay way;
  RigidMotion pose;
  if (!isEmpty(turnColumn, endColumn)) {
    if (!isEmpty(poseColumn, turnColumn)) fail("has a turn, which says the pose, and fields from tx to pz");
    if (k == 0) fail("has a turn, but no step before it");
    way.turn = {vector(turnColumn), vector(turnColumn + 3), number(turnColumn + 6),
                fields[turnColumn + 7].empty() ? 0 : number(turnColumn + 7)};
    if (!way.turn->isValid()) fail("dx to dz must have a length");
    pose = way.turn->at(1) * track.steps[k - 1][i];
  } else {
    const Vec3 translation = vector(poseColumn);
    const Vec3 imaginary = vector(poseColumn + 3);
    const auto rotation =
        rotations.read({imaginary.x, imaginary.y, imaginary.z, number(poseColumn + 6)}, k, track.moved[i]);
    if (!rotation) fail("qx to qw must be a unit quaternion");
    if (!isEmpty(pivotColumn, turnColumn)) way.pivot = vector(pivotColumn);
    pose = way.pivot ? detail::motionAboutPivot(rotation.value_or(Quaternion{}), translation, *way.pivot)
                     : RigidMotion{rotation.value_or(Quaternion{}), translation};
  }
  if (!fitup::isFinite(pose.translation)) fail("leads to a pose that is not finite");
  track.steps.back().push_back(pose);
  track.ways.back().push_back(way);
}

Track readCsv(const std::filesystem::path& file) {
  const auto contents = FileBytes::read(file, detail::largestJsonFile);
  std::string_view text = contents->text();
  constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";  // spreadsheets write one
  if (text.starts_with(byteOrderMark)) text.remove_prefix(byteOrderMark.size());
  detail::CsvReader reader(text);
  Track track;
  std::vector<std::string> fields;
  std::optional<int> version, columnsVersion;
  detail::RotationReader rotations;
  std::string step;
  const Fail fail = [&](const std::string& problem) {
    throw InputError(file.string(),
                     "line " + std::to_string(reader.line()) + (step.empty() ? "" : ": step " + step),
                     problem);
  };
  try {
    while (reader.next(fields)) {
      if (fields[0].starts_with('#')) {
        readCsvHead(track, version, fields, fail);
      } else if (!columnsVersion) {
        columnsVersion = version.value_or(fields == columnsOf(2) ? 2 : 1);
        if (const std::vector<std::string> columns = columnsOf(*columnsVersion); fields != columns)
          fail("the columns must be " +
               fitup::joined(std::vector<std::string_view>(columns.begin(), columns.end()), ",", ","));
      } else {
        step = fields[0];
        if (const std::size_t columns = columnsOf(*columnsVersion).size(); fields.size() != columns)
          fail("must have " + std::to_string(columns) + " fields");
        // Rows are grouped by step; the first step sets the order of the paths.
        const bool isFirstStep = step == "0";
        if (track.steps.empty() || (!isFirstStep && track.steps.back().size() == track.moved.size())) {
          track.steps.emplace_back();
          track.ways.emplace_back();
        }
        if (step != std::to_string(track.steps.size() - 1))
          fail("rows must be sorted by step from 0, with every path in each step");
        if (isFirstStep)
          track.moved.push_back(fields[1]);
        else if (track.moved[track.steps.back().size()] != fields[1])
          fail("path: '" + fields[1] + "' where '" + track.moved[track.steps.back().size()] +
               "' is in step 0");
        readCsvPose(track, fields, rotations, fail);
      }
    }
  } catch (const InputError& error) {
    const std::string message = error.what();
    if (message.starts_with(file.string())) throw;
    throw InputError(file.string(), "", message);
  }
  step.clear();
  if (!columnsVersion) fail("holds no columns step,path,tx,...");
  if (track.steps.empty()) throw InputError(file.string(), "steps", "there are none");
  if (track.steps.back().size() != track.moved.size())
    fail("step " + std::to_string(track.steps.size() - 1) + " has " +
         std::to_string(track.steps.back().size()) + " poses for " + std::to_string(track.moved.size()) +
         " moved paths");
  if (!track.hasWays()) track.ways.clear();
  rotations.addWarning(track);
  return track;
}

std::string csvText(const Track& track) {
  const int version = detail::trackVersion(track);
  std::string text = detail::csvLine({"# " + std::string(formatName), std::to_string(version)});
  if (!track.name.empty()) text += detail::csvLine({"# name", track.name});
  text += detail::csvLine({"# unit", track.unit});
  if (track.modelHash) text += detail::csvLine({"# modelHash", hashText(*track.modelHash)});
  text += detail::csvLine(columnsOf(version));
  for (std::size_t k = 0; k < track.steps.size(); ++k)
    for (std::size_t i = 0; i < track.moved.size(); ++i) {
      std::vector<std::string> fields{std::to_string(k), track.moved[i]};
      const auto add = [&](std::initializer_list<double> values) {
        for (const double value : values) fields.push_back(numberText(value));
      };
      const StepWay way = track.wayTo(k, i);
      if (way.turn) {
        const auto& [point, direction, degrees, advance] = *way.turn;
        fields.resize(turnColumn);
        add({point.x, point.y, point.z, direction.x, direction.y, direction.z, degrees, advance});
      } else {
        const auto& [q, world] = track.steps[k][i];
        const Vec3 t = way.pivot ? detail::translationOfPivot(track.steps[k][i], *way.pivot) : world;
        add({t.x, t.y, t.z, q.x, q.y, q.z, q.w});
        if (way.pivot) add({way.pivot->x, way.pivot->y, way.pivot->z});
      }
      fields.resize(columnsOf(version).size());
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
  requireWays(track, file.string());
  const std::string text = isCsv(file) ? csvText(track) : jsonText(file, track);
  detail::requireReadable(text, file.string());
  writeFileAtomically(file, [&](std::ostream& stream) { stream << text; });
}

}  // namespace fitup
