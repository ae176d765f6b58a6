#include <models/hall/panel.h>

#include <models/angle.h>

namespace fitup::models {
namespace {

class Panel {
 public:
  Panel(const std::string& name, const PanelOptions& options) : o_(options), builder_(name) {
    for (double side : {0.5, -0.5})
      for (int i = 0; i <= o_.along; ++i)
        for (int j = 0; j <= o_.across; ++j) addPoint(i, j, side * o_.thickness);
  }

  TriangleMesh make() {
    SurfaceDescription pressed;
    pressed.kind = SurfaceKind::freeform;
    for (const bool top : {true, false})
      for (int p = 0; p < o_.patchesAlong; ++p)
        for (int q = 0; q < o_.patchesAcross; ++q) {
          builder_.beginSurface({}, {}, pressed);
          for (int i = p * o_.along / o_.patchesAlong; i < (p + 1) * o_.along / o_.patchesAlong; ++i)
            for (int j = q * o_.across / o_.patchesAcross; j < (q + 1) * o_.across / o_.patchesAcross; ++j)
              top ? quad(at(i, j, 0), at(i + 1, j, 0), at(i + 1, j + 1, 0), at(i, j + 1, 0))
                  : quad(at(i, j, 1), at(i, j + 1, 1), at(i + 1, j + 1, 1), at(i + 1, j, 1));
        }
    // Each rim runs with the sheet on its left, seen from above.
    rim(o_.along, [&](int k, int side) { return at(k, 0, side); });
    rim(o_.across, [&](int k, int side) { return at(o_.along, k, side); });
    rim(o_.along, [&](int k, int side) { return at(o_.along - k, o_.across, side); });
    rim(o_.across, [&](int k, int side) { return at(0, o_.across - k, side); });
    return builder_.build();
  }

 private:
  void addPoint(int i, int j, double offset) {
    const double u = static_cast<double>(i) / o_.along, v = static_cast<double>(j) / o_.across;
    const double wave = sinTurns(u * o_.wavesAlong) * sinTurns(v * o_.wavesAcross);
    builder_.addPoint({(u - 0.5) * o_.length, (v - 0.5) * o_.width, o_.wrinkleDepth * wave + offset});
  }
  [[nodiscard]] std::uint32_t at(int i, int j, int side) const {
    return static_cast<std::uint32_t>((side * (o_.along + 1) + i) * (o_.across + 1) + j);
  }
  void quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    builder_.addTriangle(a, b, c);
    builder_.addTriangle(a, c, d);
  }
  template <typename At>
  void rim(int steps, At point) {
    builder_.beginSurface();
    for (int k = 0; k < steps; ++k) quad(point(k, 1), point(k + 1, 1), point(k + 1, 0), point(k, 0));
  }

  PanelOptions o_;
  TriangleMeshBuilder builder_;
};

}  // namespace

TriangleMesh makePanel(const std::string& name, const PanelOptions& options) {
  return Panel(name, options).make();
}

}  // namespace fitup::models
