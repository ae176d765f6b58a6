#include <algorithm>
#include <array>
#include <string_view>

#include <models/solids/grid_solid.h>
#include <models/solids/prism.h>
#include <models/ways_out/scene_maker.h>

namespace fitup::models {
namespace {

constexpr double unit = 10;  ///< half the width of a stick
constexpr std::array<Colour, 6> stickColours{{{0.72F, 0.55F, 0.38F, 1},
                                              {0.6F, 0.66F, 0.5F, 1},
                                              {0.5F, 0.6F, 0.7F, 1},
                                              {0.68F, 0.5F, 0.55F, 1},
                                              {0.75F, 0.7F, 0.5F, 1},
                                              movedColour}};

void requirePlay(const char* scene, double play) { requireBetween(scene, "play", play, 0.01, 0.8, false); }

/// The two equal sticks of the burr of three, along y and z. Beside the key's neck, whose axis is x, a stick
/// is but a bridge half a unit high. The bridges cross at one edge of the middle cube, where each has one
/// half.
GridSolid bridgedStick(bool alongZ, double play) {
  const std::vector<double> along{-3 * unit, -unit, unit / 2, unit, 3 * unit}, across{-unit, unit / 2, unit};
  GridSolid stick;
  stick.planes[0] = {-unit, 0, unit};
  stick.planes[1] = alongZ ? across : along;
  stick.planes[2] = alongZ ? along : across;
  stick.inset = play / 2;
  stick.isFilled = [alongZ](std::size_t x, std::size_t y, std::size_t z) {
    const std::size_t lengthwise = alongZ ? z : y, height = alongZ ? y : z;
    if (lengthwise == 0 || lengthwise == 3) return true;   // outside of the middle cube
    if (height == 0) return false;                         // the room for the neck
    return lengthwise == 1 || (alongZ ? x == 1 : x == 0);  // at the crossing, one half
  };
  return stick;
}

/// The stick along x: a square end, a round neck, and an end that is cut on the side -z, so that a bridge
/// passes above it once it is turned by half a turn.
Solid turningKey(double play) {
  const double inset = play / 2, edge = unit - inset, cut = unit / 2 - inset;
  const Frame frame = Frame().alongX();  // its x is y, its y is z
  const Outline square = Outline::rectangle(-edge, -edge, edge, edge);
  const Outline flat = Outline::rectangle(-edge, -cut, edge, edge);
  Outline neck;
  neck.start(0.45 * unit - inset, 0).arcTo(0, 0, 0.45 * unit - inset, 0, 1, 24);
  const double end = 3 * unit - inset, shoulder = unit + inset;
  Solid solid;
  addCap(solid, frame, {flat}, -end, false);
  addSides(solid, frame, {flat}, -end, -shoulder);
  addCap(solid, frame, {flat, neck}, -shoulder, true);
  addSides(solid, frame, {neck}, -shoulder, shoulder);
  addCap(solid, frame, {square, neck}, shoulder, false);
  addSides(solid, frame, {square}, shoulder, end);
  addCap(solid, frame, {square}, end, true);
  return solid;
}

/// The burr of six consists of unit cubes from -3 to 3 along each axis. Sticks 0 and 1 lie along x, on the
/// sides -y and +y of the middle plane; 2 and 3 along y, on the sides -z and +z; 4 and 5 along z, on the
/// sides -x and +x.
bool isOfStick(std::size_t stick, const std::array<int, 3>& cube) {
  const std::size_t along = stick / 2, beside = (along + 1) % 3, flat = (along + 2) % 3;
  const int first = stick % 2 == 0 ? -2 : 0;
  return cube[beside] >= first && cube[beside] < first + 2 && cube[flat] >= -1 && cube[flat] < 1;
}

/// Which stick has the cubes that are of two or three sticks: one digit for each such cube, ordered by x,
/// then y, then z. Found by trying random ones: in the first, only stick 5, which has all of its cubes, has a
/// first move, and the others follow one by one; in the second, no set of sticks has one. Tests go through
/// all sets.
constexpr std::string_view notchesWithKey = "44140324332133130055555555135555";
constexpr std::string_view notchesLocked = "44410322032413210055035555210511";

/// The stick of each cube, or -1.
class Burr6 {
 public:
  explicit Burr6(std::string_view notches) {
    std::size_t next = 0;
    for (int x = -3; x < 3; ++x)
      for (int y = -3; y < 3; ++y)
        for (int z = -3; z < 3; ++z) {
          int count = 0, owner = -1;
          for (std::size_t stick = 0; stick < 6; ++stick)
            if (isOfStick(stick, {x, y, z})) ++count, owner = static_cast<int>(stick);
          owners_[at(x, y, z)] = count > 1 ? notches[next++] - '0' : owner;
        }
  }
  [[nodiscard]] int ownerOf(int x, int y, int z) const { return owners_[at(x, y, z)]; }

 private:
  static std::size_t at(int x, int y, int z) {
    return static_cast<std::size_t>(((x + 3) * 6 + y + 3) * 6 + z + 3);
  }

  std::array<int, 216> owners_{};
};

}  // namespace

WayOutScene makeBurr3(double play) {
  requirePlay("burr-3", play);
  SceneMaker maker("burr-3");
  const NodeId key = maker.place("key", movedColour, turningKey(play));
  const NodeId y = maker.place(
      "y", maker.part(gridSolidMesh("y", stickColours[0], bridgedStick(false, play))), stickColours[0]);
  maker.place("z", maker.part(gridSolidMesh("z", stickColours[2], bridgedStick(true, play))),
              stickColours[2]);
  maker.beginWay({key, y});
  maker.turn(0, {{}, {1, 0, 0}, 180, 0});
  maker.shift(1, {-8 * unit, 0, 0});
  maker.shift(0, {0, -8 * unit, 0});
  return maker.finish();
}

WayOutScene makeBurr6(double play, bool locked) {
  requirePlay("burr-6", play);
  SceneMaker maker("burr-6");
  const Burr6 burr(locked ? notchesLocked : notchesWithKey);
  std::vector<NodeId> sticks;
  for (int stick = 0; stick < 6; ++stick) {
    GridSolid solid;
    for (std::vector<double>& planes : solid.planes)
      for (int i = -3; i <= 3; ++i) planes.push_back(i * unit);
    solid.inset = play / 2;
    solid.isFilled = [&burr, stick](std::size_t x, std::size_t y, std::size_t z) {
      return burr.ownerOf(static_cast<int>(x) - 3, static_cast<int>(y) - 3, static_cast<int>(z) - 3) == stick;
    };
    const Colour colour = stickColours[static_cast<std::size_t>(stick)];
    const std::string name = stick == 5 && !locked ? "key" : "stick-" + std::to_string(stick);
    sticks.push_back(maker.place(name, maker.part(gridSolidMesh(name, colour, solid)), colour));
  }
  if (!locked) {
    maker.beginWay({sticks[5], sticks[2], sticks[0], sticks[1], sticks[3]});
    maker.shift(0, {0, 0, 20 * unit});
    maker.shift(1, {20 * unit, 0, 0});
    maker.shift(2, {0, 0, -20 * unit});
    maker.shift(3, {0, 8 * unit, 0});
    maker.shift(4, {8 * unit, 0, 0});
  }
  return maker.finish();
}

}  // namespace fitup::models
