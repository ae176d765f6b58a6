#include <fitup/io/pictures/detail/picture.h>

#include <algorithm>
#include <cmath>

namespace fitup::detail {
namespace {

constexpr int samples = 2;  ///< per side of a pixel
constexpr Rgb marked{0.86, 0.04, 0.22}, ink{0.13, 0.17, 0.22}, ghost{0.71, 0.75, 0.79};

Rgb mixed(const Rgb& a, const Rgb& b, double share) {
  return {a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share};
}

Rgb background(double fromTop) { return mixed({0.985, 0.988, 0.992}, {0.918, 0.932, 0.948}, fromTop); }

/// The hit of a ray, kept for the edges. `key` differs between surfaces; 0: no hit.
struct Sample {
  std::uint64_t key = 0;
  std::uint32_t body = 0;
  float distance = 0;
  float facing = 0;  ///< cosine between normal and view
  float light = 0;
  bool fromBehind = false;
};

struct Raster {
  int width, height;
  std::vector<Sample> samples;
  [[nodiscard]] const Sample& at(int x, int y) const {
    return samples[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                   static_cast<std::size_t>(x)];
  }
};

/// Start and spacing of the rays.
class Rays {
 public:
  Rays(const Camera& camera, const PictureOptions& options)
      : camera_(camera),
        width_(options.width * samples),
        height_(options.height * samples),
        step_(2 * camera.halfHeight / height_) {
    // In front of everything, or on the section plane.
    const double front = 1.01 * options.reach - dot(camera.centre, camera.back);
    start_ = camera.cut ? std::min(*camera.cut, front) : front;
  }
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] double step() const { return step_; }
  [[nodiscard]] Vec3 origin(int x, int y) const {
    return camera_.centre + ((x + 0.5 - 0.5 * width_) * step_) * camera_.right +
           ((0.5 * height_ - y - 0.5) * step_) * camera_.up + start_ * camera_.back;
  }
  /// In samples from the upper left, and the distance along a ray.
  [[nodiscard]] Vec3 project(const Vec3& p) const {
    const Vec3 d = p - camera_.centre;
    return {0.5 * width_ + dot(d, camera_.right) / step_, 0.5 * height_ - dot(d, camera_.up) / step_,
            start_ - dot(d, camera_.back)};
  }

 private:
  const Camera& camera_;
  int width_, height_;
  double step_, start_ = 0;
};

/// The first hits of rays that start at the samples. A hit of `preferred` at most `tie` behind another body
/// takes precedence.
Raster cast(const RayScene& scene, const RayScene* preferred, double tie, const Camera& camera,
            const Rays& rays, double length, const WorkMeter& meter) {
  Raster raster{rays.width(), rays.height(), {}};
  raster.samples.resize(static_cast<std::size_t>(raster.width) * static_cast<std::size_t>(raster.height));
  const Vec3 direction = -camera.back;
  const Vec3 key = normalized(0.75 * camera.back + 0.55 * camera.up - 0.45 * camera.right);
  constexpr int packet = static_cast<int>(RayScene::packet);
  for (int y = 0; y < raster.height; ++y) {
    meter.advance(1);
    for (int x = 0; x < raster.width; x += packet) {
      const int count = std::min(packet, raster.width - x);
      std::array<Vec3, RayScene::packet> origins;
      for (int i = 0; i < count; ++i) origins[static_cast<std::size_t>(i)] = rays.origin(x + i, y);
      auto hits = scene.first(origins, static_cast<std::size_t>(count), direction, length);
      if (preferred != nullptr && std::any_of(hits.begin(), hits.end(),
                                              [](const RayHit& hit) { return hit.found && hit.body != 0; })) {
        const auto others = preferred->first(origins, static_cast<std::size_t>(count), direction, length);
        for (std::size_t i = 0; i < hits.size(); ++i)
          if (hits[i].found && others[i].found && others[i].distance <= hits[i].distance + tie)
            hits[i] = others[i];
      }
      for (int i = 0; i < count; ++i) {
        const RayHit& hit = hits[static_cast<std::size_t>(i)];
        if (!hit.found) continue;
        Sample& s = raster.samples[static_cast<std::size_t>(y) * static_cast<std::size_t>(raster.width) +
                                   static_cast<std::size_t>(x + i)];
        const Vec3 towards = hit.fromBehind ? -hit.normal : hit.normal;
        s.key = (std::uint64_t{hit.body} + 1) << 33 | std::uint64_t{hit.fromBehind} << 32 | hit.surface;
        s.body = hit.body;
        s.distance = hit.distance;
        s.facing = static_cast<float>(dot(towards, camera.back));
        s.light = static_cast<float>(0.44 + 0.44 * std::max(0.0, dot(towards, key)) + 0.18 * s.facing);
        s.fromBehind = hit.fromBehind;
      }
    }
  }
  return raster;
}

/// Darkness of the line between two neighbouring samples, as seen from `s`: it is drawn on the nearer side.
double edge(const Sample& s, const Sample& t, double step) {
  if (s.key == 0 || (t.key != 0 && t.distance < s.distance)) return 0;
  if (t.key == 0 || t.body != s.body) return 0.62;
  // A jump is a larger difference than two surfaces at this angle to the viewer can make between two rays.
  const double slope = std::max(0.08F, std::min(s.facing, t.facing));
  if (t.distance - s.distance > 6 * step / slope) return 0.5;
  return t.key != s.key ? 0.34 : 0;
}

double edgeAt(const Raster& raster, int x, int y, double step) {
  const Sample& s = raster.at(x, y);
  double result = 0;
  if (s.key == 0) return 0;
  if (x > 0) result = std::max(result, edge(s, raster.at(x - 1, y), step));
  if (y > 0) result = std::max(result, edge(s, raster.at(x, y - 1), step));
  if (x + 1 < raster.width) result = std::max(result, edge(s, raster.at(x + 1, y), step));
  if (y + 1 < raster.height) result = std::max(result, edge(s, raster.at(x, y + 1), step));
  return result;
}

/// Coverage of the marking by sample: the visible part, the hidden part, and the light border of both.
struct MarkedRaster {
  std::vector<float> seen, hidden, border;
};

class MarkingPainter {
 public:
  MarkingPainter(const Raster& focus, const Rays& rays, const WorkMeter& meter)
      : focus_(focus), rays_(rays), meter_(meter) {
    for (auto* layer : {&result_.seen, &result_.hidden, &result_.border})
      layer->assign(focus.samples.size(), 0);
  }

  MarkedRaster paint(const Marking& marking) {
    for (const std::vector<Vec3>& piece : marking) {
      meter_.poll();
      std::vector<Vec3> corners;
      for (const Vec3& p : piece) corners.push_back(rays_.project(p));
      if (corners.size() == 1) capsule(corners[0], corners[0], 2.6 * samples);
      if (corners.size() == 2) capsule(corners[0], corners[1], 1.1 * samples);
      if (corners.size() > 2) {
        area(corners);
        for (std::size_t i = 0; i < corners.size(); ++i)
          capsule(corners[i], corners[(i + 1) % corners.size()], 0.35 * samples);
      }
    }
    return std::move(result_);
  }

 private:
  void put(int x, int y, double distance, double cover, double border) {
    const std::size_t at =
        static_cast<std::size_t>(y) * static_cast<std::size_t>(focus_.width) + static_cast<std::size_t>(x);
    const Sample& s = focus_.samples[at];
    // The line lies on the surfaces, so it may be behind them by their rise within some samples.
    const double tolerance = (4 + 3 / std::max(0.15F, s.facing)) * rays_.step();
    const bool seen = s.key == 0 || distance < s.distance + tolerance;
    float& layer = (seen ? result_.seen : result_.hidden)[at];
    layer = std::max(layer, static_cast<float>(cover));
    if (seen) result_.border[at] = std::max(result_.border[at], static_cast<float>(border));
  }

  void capsule(const Vec3& p, const Vec3& q, double radius) {
    const double margin = radius + 1.2 * samples + 1;
    const double dx = q.x - p.x, dy = q.y - p.y, squared = dx * dx + dy * dy;
    for (int y = low(std::min(p.y, q.y) - margin); y <= high(std::max(p.y, q.y) + margin, focus_.height); ++y)
      for (int x = low(std::min(p.x, q.x) - margin); x <= high(std::max(p.x, q.x) + margin, focus_.width);
           ++x) {
        const double px = x + 0.5 - p.x, py = y + 0.5 - p.y;
        const double t = squared > 0 ? std::clamp((px * dx + py * dy) / squared, 0.0, 1.0) : 0;
        const double away = std::hypot(px - t * dx, py - t * dy);
        const double border = std::clamp(radius + 1.2 * samples - away, 0.0, 1.0);
        if (border > 0) put(x, y, p.z + t * (q.z - p.z), std::clamp(radius + 0.5 - away, 0.0, 1.0), border);
      }
  }

  /// Adds a convex polygon.
  void area(const std::vector<Vec3>& corners) {
    double left = corners[0].x, right = left, top = corners[0].y, bottom = top, distance = 0;
    for (const Vec3& c : corners) {
      left = std::min(left, c.x);
      right = std::max(right, c.x);
      top = std::min(top, c.y);
      bottom = std::max(bottom, c.y);
      distance += c.z / static_cast<double>(corners.size());
    }
    for (int y = low(top); y <= high(bottom, focus_.height); ++y)
      for (int x = low(left); x <= high(right, focus_.width); ++x) {
        bool below = false, above = false;
        for (std::size_t i = 0; i < corners.size(); ++i) {
          const Vec3 &p = corners[i], &q = corners[(i + 1) % corners.size()];
          const double side = (q.x - p.x) * (y + 0.5 - p.y) - (q.y - p.y) * (x + 0.5 - p.x);
          below = below || side < 0;
          above = above || side > 0;
        }
        if (!(below && above)) put(x, y, distance, 0.6, 0);
      }
  }

  static int low(double v) { return static_cast<int>(std::clamp(std::floor(v), 0.0, 1e6)); }
  static int high(double v, int size) { return static_cast<int>(std::clamp(std::ceil(v), -1.0, size - 1.0)); }

  const Raster& focus_;
  const Rays& rays_;
  const WorkMeter& meter_;
  MarkedRaster result_;
};

Rgb focusColour(const Sample& s, const PictureOptions& options, bool cut, int x, int y) {
  const Rgb& base = options.colours[s.body % options.colours.size()];
  if (s.fromBehind && cut) {
    // The inside of a body that the plane cut open: flat and hatched, as in a section drawing.
    const bool stripe = (x + y) % (5 * samples) < samples;
    return mixed(mixed(base, {1, 1, 1}, 0.45), ink, stripe ? 0.35 : 0.0);
  }
  Rgb result;
  for (std::size_t c = 0; c < 3; ++c) result[c] = std::min(1.0, base[c] * s.light);
  return s.fromBehind ? mixed(result, ink, 0.18) : result;
}

}  // namespace

Camera Camera::looking(const Vec3& back, const Vec3& worldUp) {
  Camera camera;
  camera.back = normalized(back);
  Vec3 right = cross(worldUp, camera.back);
  if (norm(right) < 1e-3)
    right = cross(std::abs(camera.back.x) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}, camera.back);
  camera.right = normalized(right);
  camera.up = cross(camera.back, camera.right);
  return camera;
}

std::array<double, 2> positionIn(const Camera& camera, double aspect, const Vec3& point) noexcept {
  const Vec3 d = point - camera.centre;
  return {0.5 + 0.5 * dot(d, camera.right) / (camera.halfHeight * aspect),
          0.5 - 0.5 * dot(d, camera.up) / camera.halfHeight};
}

Image drawPicture(const RayScene& focus, const RayScene* preferred, const RayScene* context,
                  const Marking& marking, const Camera& camera, const PictureOptions& options,
                  const WorkMeter& meter) {
  const Rays rays(camera, options);
  const double length = 4 * options.reach + 4 * norm(camera.centre);
  const double tie = std::max(options.tie, samples * rays.step());
  const Raster front = cast(focus, preferred, tie, camera, rays, length, meter);
  const Raster around =
      context != nullptr ? cast(*context, nullptr, 0, camera, rays, length, meter) : Raster{0, 0, {}};
  const MarkedRaster marks = MarkingPainter(front, rays, meter).paint(marking);

  std::vector<Rgb> colours(front.samples.size());
  for (int y = 0; y < front.height; ++y) {
    meter.advance(1);
    for (int x = 0; x < front.width; ++x) {
      const std::size_t at =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(front.width) + static_cast<std::size_t>(x);
      const Sample& s = front.samples[at];
      Rgb colour = background(static_cast<double>(y) / front.height);
      const Sample* g = context != nullptr && around.samples[at].key != 0 ? &around.samples[at] : nullptr;
      const double outline = g != nullptr ? edgeAt(around, x, y, rays.step()) : 0;
      if (s.key != 0)
        colour = mixed(focusColour(s, options, camera.cut.has_value(), x, y), ink,
                       edgeAt(front, x, y, rays.step()));
      if (g != nullptr && (s.key == 0 || g->distance + tie < s.distance)) {
        const bool over = s.key != 0;
        colour = mixed(colour, mixed(ghost, {1, 1, 1}, 0.55 * g->light), over ? 0.22 : 0.62);
        colour = mixed(colour, ink, outline * (over ? 0.22 : 0.30));
      }
      colour = mixed(colour, marked, 0.45 * marks.hidden[at]);
      colour = mixed(colour, {1, 1, 1}, 0.75 * marks.border[at]);
      colours[at] = mixed(colour, marked, marks.seen[at]);
    }
  }

  Image image{options.width, options.height, {}};
  image.rgb.reserve(static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height) * 3);
  // Each pixel is a weighted mean of its samples and, with a third of the weight, those around them, for
  // smooth lines.
  constexpr std::array<double, 4> weights{1.0 / 8, 3.0 / 8, 3.0 / 8, 1.0 / 8};
  static_assert(samples == 2);
  for (int y = 0; y < options.height; ++y) {
    meter.advance(1);
    for (int x = 0; x < options.width; ++x) {
      Rgb sum{};
      for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 4; ++i) {
          const int sx = std::clamp(samples * x + i - 1, 0, front.width - 1);
          const int sy = std::clamp(samples * y + j - 1, 0, front.height - 1);
          const Rgb& c = colours[static_cast<std::size_t>(sy) * static_cast<std::size_t>(front.width) +
                                 static_cast<std::size_t>(sx)];
          const double weight = weights[static_cast<std::size_t>(i)] * weights[static_cast<std::size_t>(j)];
          for (std::size_t k = 0; k < 3; ++k) sum[k] += weight * c[k];
        }
      for (double c : sum)
        image.rgb.push_back(static_cast<std::uint8_t>(std::lround(255 * std::clamp(c, 0.0, 1.0))));
    }
  }
  return image;
}

}  // namespace fitup::detail
