// Lists every pair of surfaces that intersects in an assembly: first_check assembly.step
#include <iostream>

#include <fitup/base/error.h>
#include <fitup/io/read_assembly.h>
#include <fitup/scene/interference.h>

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::cerr << "usage: first_check assembly.step\n";
    return 2;
  }
  const fitup::Model model = fitup::readAssembly(argv[1]);
  const auto report = fitup::checkAllPairs(fitup::sceneOf(model));
  for (const auto& pair : report.pairs)
    for (const auto& surfaces : pair.report.surfacePairs)
      std::cout << model.assembly.path(pair.a) << " face " << index(surfaces.a) << "  x  "
                << model.assembly.path(pair.b) << " face " << index(surfaces.b) << "\n";
} catch (const fitup::Error& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
