#include "move.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/geometry/limits.h>
#include <fitup/motion/track.h>

#include "options.h"

namespace fitup::cli {

void addMoveOption(CLI::App& app, std::vector<std::string>& moves) {
  oneEachTime(app.add_option(
      "--move", moves,
      "First move an instance or subassembly: PATH=x,y,z[,ax,ay,az,degrees], a translation and\na rotation "
      "in the world, about the centre of the box around its parts. May be given\nmore than once"));
}

RigidMotion motionFrom(const std::string& option, const std::string& element, std::string_view text,
                       const Box& box) {
  std::vector<double> numbers;
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p <= end) {
    double value = 0;
    const auto [stop, error] = std::from_chars(p, end, value);
    if (error != std::errc{} || !std::isfinite(value) || (stop != end && *stop != ','))
      throw InputError(option, element, "number " + std::to_string(numbers.size() + 1) + " cannot be read");
    numbers.push_back(value);
    p = stop + 1;
  }
  if (numbers.size() != 3 && numbers.size() != 7)
    throw InputError(option, element, "needs 3 or 7 numbers: x,y,z[,ax,ay,az,degrees]");
  for (std::size_t k = 0; k < 3; ++k)
    if (std::abs(numbers[k]) > limits::largest)
      throw InputError(option, element, "shifts by more than 2^100, the largest coordinate");

  Quaternion turn;
  if (numbers.size() == 7) {
    // Divides by the largest first, because squares of large numbers overflow and those of small ones vanish.
    const double largest = std::max({std::abs(numbers[3]), std::abs(numbers[4]), std::abs(numbers[5])});
    if (!(largest > 0)) throw InputError(option, element, "has an axis of length zero");
    turn = axisAngle({numbers[3] / largest, numbers[4] / largest, numbers[5] / largest},
                     numbers[6] * std::numbers::pi / 180);
  }
  return motionAbout(box.empty() ? Vec3{} : box.centre(), turn, {numbers[0], numbers[1], numbers[2]});
}

namespace {

void applyMove(const Scene& scene, const std::string& text, Poses& poses) {
  const Assembly& assembly = scene.assembly();
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos) throw InputError("--move", text, "is not PATH=x,y,z[,ax,ay,az,degrees]");
  const NodeId node = assembly.at(text.substr(0, equals));
  Box box;
  const std::vector<NodeId> instances = assembly.instancesBelow(node);
  for (const NodeId instance : instances) box.extend(scene.worldBounds(instance, poses));
  const RigidMotion motion = motionFrom("--move", text, std::string_view(text).substr(equals + 1), box);
  for (const NodeId instance : instances)
    poses.set(instance, motion.transform() * scene.worldFromPart(instance, poses));
}

}  // namespace

void applyMoves(const Scene& scene, const std::vector<std::string>& moves, Poses& poses) {
  for (const std::string& move : moves) applyMove(scene, move, poses);
}

}  // namespace fitup::cli
