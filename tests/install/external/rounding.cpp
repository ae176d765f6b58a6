// Prints numbers that inline functions of the headers compute, bit by bit, and the findings of a check with
// them.
#include <cstdio>
#include <random>

#include <fitup/fitup.h>
#include <fitup/geometry/filter_plane.h>

namespace {

void print(const fitup::Vec3& v) { std::printf("%a %a %a\n", v.x, v.y, v.z); }

}  // namespace

int main() {
  std::mt19937 random(50);
  const auto number = [&] { return static_cast<double>(random()) / 4e9 - 0.3; };
  const auto vector = [&] { return fitup::Vec3{number(), number(), number()}; };
  for (int i = 0; i < 1000; ++i) {
    fitup::Transform t = fitup::Transform::rotation(vector(), number());
    t.t = vector();
    const fitup::Vec3 a = vector(), b = vector();
    print(t.apply(a));
    print(t.applyToVector(a));
    print(cross(a, b));
    print(a * number() + b);
    print(normalized(a - b * dot(a, b)));
    print(orthonormalBasis(normalized(a)).second);
    const fitup::Vec3 onPlane = a + (b - a) * number();
    const fitup::FilterPlane plane(fitup::Triangle{{a, b, vector()}});
    print(plane.normal);
    std::printf("%d %a\n", plane.side(onPlane), dot(onPlane, plane.normal) - dot(a, plane.normal));
  }
}
