#include <fitup/io/detail/json_fields.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/io/file_bytes.h>

namespace fitup::detail {
namespace {

std::string joined(const std::string& place, const std::string& next) {
  return place.empty() ? next : place + ": " + next;
}

/// Deeper than any file of this project; hostile files have millions of levels.
constexpr int deepestNesting = 32;

/// Called with each token during parsing. Refuses deep nesting and duplicate names, of which the library
/// would silently keep the last.
class ParseGuard {
 public:
  explicit ParseGuard(std::string file) : file_(std::move(file)) {}

  bool operator()(int depth, nlohmann::json::parse_event_t event, const nlohmann::json& value) {
    using Event = nlohmann::json::parse_event_t;
    if (depth > deepestNesting) throw InputError(file_, "", "nested too deeply");
    switch (event) {
      case Event::object_start:
      case Event::array_start:
        open_.push_back({.isArray = event == Event::array_start});
        break;
      case Event::object_end:
      case Event::array_end:
        open_.pop_back();
        countElement();
        break;
      case Event::key:
        open_.back().key = value.get_ref<const std::string&>();
        if (!open_.back().names.insert(open_.back().key).second)
          throw InputError(file_, place(), "occurs twice in one object");
        break;
      case Event::value:
        countElement();
        break;
    }
    return true;
  }

  /// Place of the current token: names of members and positions in arrays, from the outside in.
  [[nodiscard]] std::string place() const {
    std::string result;
    for (const Level& level : open_)
      result = joined(result, level.isArray ? std::to_string(level.elements) : level.key);
    return result;
  }

 private:
  /// An open object or array.
  struct Level {
    bool isArray = false;
    std::size_t elements = 0;  ///< number of complete elements
    std::string key{};         ///< the last member
    std::set<std::string> names{};
  };
  void countElement() {
    if (!open_.empty() && open_.back().isArray) ++open_.back().elements;
  }

  std::string file_;
  std::vector<Level> open_;
};

}  // namespace

std::string problemOf(const nlohmann::json::exception& error) {
  const std::string message = error.what();
  const std::size_t bracket = message.find("] ");
  return bracket == std::string::npos ? message : message.substr(bracket + 2);
}

nlohmann::json parseJsonFile(const std::filesystem::path& file, std::uint64_t largest) {
  const auto contents = FileBytes::read(file, largest);
  return parseJsonText(contents->text(), file.string());
}

nlohmann::json parseJsonText(std::string_view text, const std::string& name) {
  ParseGuard guard(name);
  try {
    return nlohmann::json::parse(text, [&](int depth, nlohmann::json::parse_event_t event,
                                           nlohmann::json& value) { return guard(depth, event, value); });
  } catch (const nlohmann::json::exception& error) {
    // The message of a syntax error has line and column.
    const bool saysWhere = dynamic_cast<const nlohmann::json::parse_error*>(&error) != nullptr;
    throw InputError(name, saysWhere ? "" : guard.place(), problemOf(error));
  }
}

void requireReadable(std::string_view text, const std::string& file) {
  if (text.size() > largestJsonFile)
    throw InputError(file, "",
                     "would be larger than " + std::to_string(largestJsonFile >> 20) +
                         " MiB, and could not be read again");
}

std::string toText(const nlohmann::ordered_json& json, int indent, NotUtf8 notUtf8) {
  using Handler = nlohmann::ordered_json::error_handler_t;
  return json.dump(indent, ' ', false, notUtf8 == NotUtf8::replace ? Handler::replace : Handler::strict);
}

std::string toPlainText(const nlohmann::ordered_json& json) {
  return json.dump(1, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

int JsonField::expectFormat(const std::string& format, int first, int last) const {
  if (!has("format") || (*value_)["format"] != format) fail("not a file of format '" + format + "'");
  const JsonField field = at("version");
  if (!field.value_->is_number_integer()) field.fail("must be a whole number");
  if (*field.value_ < first || *field.value_ > last)
    field.fail("is " + field.value_->dump() + "; this program reads " + std::to_string(first) +
               (first < last ? " to " + std::to_string(last) : ""));
  return field.value_->get<int>();
}

void JsonField::expectOnly(std::initializer_list<std::string_view> names) const {
  if (!value_->is_object()) fail("must be an object");
  for (const auto& [name, member] : value_->items())
    if (std::find(names.begin(), names.end(), name) == names.end()) at(name.c_str()).fail("is unknown here");
}

JsonField JsonField::at(const char* name) const {
  if (!value_->is_object()) fail("must be an object");
  const auto found = value_->find(name);
  const std::string place = joined(place_, name);
  if (found == value_->end()) JsonField(*value_, file_, place, place).fail("is missing");
  return {*found, file_, place, place_};
}

JsonField JsonField::at(std::size_t index, const std::string& label) const {
  const std::string place = joined(placeOfElements_, label);
  return {value_->at(index), file_, place, place};
}

std::size_t JsonField::size() const {
  if (!value_->is_array()) fail("must be an array");
  return value_->size();
}

std::string JsonField::text() const {
  if (!value_->is_string()) fail("must be a string");
  return value_->get<std::string>();
}

bool JsonField::boolean() const {
  if (!value_->is_boolean()) fail("must be true or false");
  return value_->get<bool>();
}

double JsonField::number() const {
  if (!value_->is_number() || !std::isfinite(value_->get<double>())) fail("must be a finite number");
  return value_->get<double>();
}

std::uint64_t JsonField::count(std::uint64_t largest) const {
  // The library stores whole numbers from 0 on as unsigned.
  if (!value_->is_number_unsigned() || value_->get<std::uint64_t>() > largest)
    fail(largest == std::numeric_limits<std::uint64_t>::max()
             ? "must be a non-negative whole number"
             : "must be a whole number from 0 to " + std::to_string(largest));
  return value_->get<std::uint64_t>();
}

void JsonField::readNumbers(double* numbers, std::size_t count) const {
  const std::string problem = "must be an array of " + std::to_string(count) + " finite numbers";
  if (!value_->is_array() || value_->size() != count) fail(problem);
  for (std::size_t i = 0; i < count; ++i) {
    const nlohmann::json& entry = (*value_)[i];
    if (!entry.is_number()) fail(problem);
    numbers[i] = entry.get<double>();
    if (!std::isfinite(numbers[i])) fail(problem);
  }
}

void JsonField::fail(const std::string& problem) const { throw InputError(file_, place_, problem); }

}  // namespace fitup::detail
