// Draws a bolt out of its hole with an unsteady hand, and shows that the motion is free.
#include <array>
#include <cmath>
#include <iostream>
#include <memory>
#include <numbers>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/mesh/triangle_mesh.h>
#include <fitup/motion/certify.h>
#include <fitup/motion/slide.h>
#include <fitup/motion/verify_certificate.h>

// A solid of revolution about z. The profile, (r, z) with the outside on its right, is closed; each of its
// edges is a surface.
std::shared_ptr<const fitup::TriangleMesh> revolved(const char* name,
                                                    const std::vector<std::array<double, 2>>& profile) {
  constexpr std::uint32_t sides = 48;
  fitup::TriangleMeshBuilder builder(name);
  std::vector<std::uint32_t> points;
  for (const auto& [r, z] : profile)
    for (std::uint32_t i = 0; i < sides; ++i) {
      const double angle = 2 * std::numbers::pi * i / sides;
      points.push_back(builder.addPoint({r * std::cos(angle), r * std::sin(angle), z}));
    }
  for (std::size_t k = 0; k < profile.size(); ++k) {
    builder.beginSurface("face " + std::to_string(k));
    const std::size_t next = (k + 1) % profile.size();
    for (std::uint32_t i = 0; i < sides; ++i) {
      const auto at = [&](std::size_t ring, std::uint32_t side) {
        return points[ring * sides + side % sides];
      };
      builder.addTriangle(at(k, i), at(k, i + 1), at(next, i + 1));
      builder.addTriangle(at(k, i), at(next, i + 1), at(next, i));
    }
  }
  return std::make_shared<const fitup::TriangleMesh>(builder.build());
}

int main() try {
  using namespace fitup;
  Assembly assembly("joint");
  const auto add = [&](const char* name, const std::vector<std::array<double, 2>>& profile) {
    return assembly.addNode(name, {}, {}, assembly.addPart(revolved(name, profile)));
  };
  add("plate", {{5.1, 0}, {20, 0}, {20, 10}, {5.1, 10}});  // with a hole of 10.2 mm
  const NodeId bolt[] = {add("bolt", {{0.5, -8}, {5, -8}, {5, 10}, {8, 10}, {8, 15}, {0.5, 15}})};
  const Scene scene(assembly);

  // 1. The hand pulls up by 30 mm in 60 events, and shakes by up to 2 mm.
  SlideOptions options;
  options.freedom = SlideFreedom::shift;
  options.drag.tolerance = 0.05;
  SlideGuard slide(scene, {}, bolt, {}, options);
  Track track{.name = "out of its hole", .moved = {"bolt"}, .steps = {{slide.pose()}}};
  for (int event = 1; event <= 60; ++event) {
    const double t = 0.1 * event;
    const SlideUpdate update = slide.update({{}, {2 * std::sin(7 * t), 2 * std::sin(11 * t), 5 * t}});
    track.steps.push_back({update.pose});
    if (event != 20) continue;
    for (const SlideHold& hold : update.holding)
      std::cout << "held by " << assembly.path(hold.b) << ", face "
                << assembly.meshOf(hold.b).surfaces()[index(hold.surfaces.b)].name << "\n";
  }
  std::cout << "drawn out by " << slide.pose().translation.z << " mm\n";

  // 2. The recorded motion is free, at its steps and between.
  CertifyOptions request;
  request.tolerance = options.drag.tolerance;
  const CertifyReport report = certify(scene, {}, track, request);
  std::cout << name(report.answer()) << " up to step " << report.certificate.certainUntil << "\n";

  // 3. Nobody has to believe that: the certificate is checked by other means.
  const CertificateCheck check = verifyCertificate(scene, report.certificate);
  std::cout << check.confirmedIntervals << " intervals confirmed, " << check.uncheckedIntervals
            << " unchecked\n";
  return report.answer() == CertifyAnswer::certain && check.refutedIntervals == 0 ? 0 : 1;
} catch (const fitup::Error& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
