#include <models/placements.h>

#include <algorithm>

#include <fitup/base/error.h>
#include <models/angle.h>
#include <models/random.h>

namespace fitup::models {

Quaternion rotationByTurns(const Vec3& unitAxis, double turns) {
  const double s = sinTurns(turns / 2);
  return {unitAxis.x * s, unitAxis.y * s, unitAxis.z * s, cosTurns(turns / 2)};
}

TriangleMesh turnedMesh(const TriangleMesh& mesh, const Quaternion& rotation) {
  const Transform turned = Transform::rotation(rotation);
  std::vector<Vec3> points;
  for (std::uint32_t i = 0; i < mesh.points().size(); ++i)
    points.push_back(turned.apply(mesh.pointInPart(i)));
  return withPoints(mesh, points);
}

std::vector<Transform> randomPlacements(std::size_t count, double cubeSide, std::uint64_t seed) {
  Random random(seed);
  std::vector<Transform> placements;
  placements.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Quaternion rotation = random.rotation();
    Vec3 shift;
    for (int k = 0; k < 3; ++k) shift[k] = random.between(-cubeSide / 2, cubeSide / 2);
    placements.push_back(Transform::rigid(rotation, shift));
  }
  return placements;
}

Transform Approach::at(double t) const {
  const Transform turned = Transform::rotation(rotation);
  return Transform::rigid(rotation, centreA + direction * t - turned.applyToVector(centreB));
}

Approach randomApproach(const Box& boxA, const Box& boxB, std::uint64_t seed) {
  Random random(seed);
  Approach approach;
  approach.centreA = boxA.centre();
  approach.centreB = boxB.centre();
  approach.direction = random.direction();
  approach.rotation = random.rotation();
  approach.far = 1.001 * (norm(boxA.halfExtent()) + norm(boxB.halfExtent()));
  return approach;
}

std::optional<double> approachToDistance(const Approach& approach, const DistanceAt& distance, double wanted,
                                         double tolerance) {
  // At `far` plus the wanted distance the bounding spheres are that far apart.
  double t = approach.far + wanted;
  while (t > -approach.far) {
    const double excess = distance(approach.at(t)) - wanted;
    if (excess <= tolerance) return t;
    t -= excess - 0.5 * tolerance;
  }
  return std::nullopt;
}

std::optional<double> approachToContact(const Approach& approach, const IntersectsAt& intersects, double step,
                                        double tolerance) {
  double apart = approach.far, inside = apart - step;
  while (!intersects(approach.at(inside))) {
    apart = inside;
    inside -= step;
    if (inside < -approach.far) return std::nullopt;
  }
  while (apart - inside > tolerance) {
    const double middle = 0.5 * (apart + inside);
    (intersects(approach.at(middle)) ? inside : apart) = middle;
  }
  return apart;
}

std::vector<DistancePose> distancePoses(const Box& boxA, const Box& boxB, const DistanceAt& distance,
                                        const std::vector<double>& relativeDistances,
                                        std::size_t posesPerDistance, std::uint64_t seed,
                                        double touchingGap) {
  const Vec3 half = boxA.halfExtent();
  const double size = 2 * std::max({half.x, half.y, half.z});
  const double gap = touchingGap * size;
  Random seeds(seed);
  std::vector<DistancePose> poses;
  for (std::size_t found = 0, tried = 0; found < posesPerDistance; ++tried) {
    if (tried >= 100 * posesPerDistance)
      throw InputError("distance poses", std::to_string(found) + " of " + std::to_string(posesPerDistance),
                       "the objects hardly ever meet");
    const Approach approach = randomApproach(boxA, boxB, seeds.bits());
    std::vector<DistancePose> onThisWay;
    for (const double relative : relativeDistances) {
      // Never closer than wanted; for 0 this means a gap between gap/2 and gap, so that rounding makes no
      // contact.
      const double wanted = std::max(relative * size, 0.5 * gap);
      const auto t = approachToDistance(approach, distance, wanted, 0.5 * gap);
      if (!t) break;
      onThisWay.push_back({relative, approach.at(*t)});
    }
    if (onThisWay.size() < relativeDistances.size()) continue;
    poses.insert(poses.end(), onThisWay.begin(), onThisWay.end());
    ++found;
  }
  std::stable_sort(poses.begin(), poses.end(), [](const DistancePose& a, const DistancePose& b) {
    return a.relativeDistance < b.relativeDistance;
  });
  return poses;
}

std::vector<Transform> entwinedGridPoses(const GridOptions& grid, std::size_t count, bool clear,
                                         std::uint64_t seed) {
  Random random(seed);
  const double half = grid.spacing() / 2;
  const auto choices = static_cast<std::uint64_t>(std::max(grid.bars / 2, 1));
  std::vector<Transform> poses;
  while (poses.size() < count) {
    Vec3 shift;
    for (int k = 0; k < 3; ++k) {
      const std::uint64_t bits = random.bits();
      const double odd = 2.0 * static_cast<double>((bits >> 1) % ((choices + 1) / 2)) + 1;
      shift[k] = ((bits & 1) != 0 ? odd : -odd) * half;
    }
    if (clear) {
      poses.push_back(Transform::translation(shift));
      continue;
    }
    // Between 4 and 20 degrees about any axis: far bars then leave the middles of the cells and cross others.
    const Vec3 axis = random.direction();
    const double turns = random.between(2.0, 10.0) / 360;  // half the angle
    const double s = sinTurns(turns);
    poses.push_back(Transform::rigid({axis.x * s, axis.y * s, axis.z * s, cosTurns(turns)}, shift));
  }
  return poses;
}

}  // namespace fitup::models
