#include "refine.h"

#include <fcntl.h>
#include <unistd.h>

#include <BinTools.hxx>
#include <TopExp.hxx>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/io/import_folder.h>
#include <fitup/io/importer_process.h>

#include "confinement.h"
#include "importer_main.h"
#include "occt_failures.h"
#include "tessellate.h"

namespace fitup::importers {
namespace {

void say(const std::string& line) {
  std::string text = line;
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::puts(text.c_str());
  std::fflush(stdout);
}

/// The numbers of a request; the caller is this program's own, but the check costs nothing.
struct Refinement {
  std::size_t shape = 0;
  Deflection others;
  double fine = 0;
  std::vector<int> faces;
};

Refinement parse(std::istringstream& words) {
  Refinement result;
  words >> result.shape >> result.others.linear >> result.others.angular >> result.fine;
  for (int face = 0; words >> face;) {
    result.faces.push_back(face);
    if (words.peek() == ',') words.get();
  }
  if (!words.eof() || !(result.others.linear > 0) || !(result.others.angular > 0) || !(result.fine > 0) ||
      result.faces.empty())
    throw InputError("not a request");
  return result;
}

/// Writes a file that nobody reads before the answer is given, so that it need not be replaced as a whole.
void write(const std::filesystem::path& file, const std::string& bytes) {
  std::filesystem::remove(file);  // the confinement lets no file be truncated
  const int out = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  std::size_t done = 0;
  while (out >= 0 && done < bytes.size()) {
    const ssize_t written = ::write(out, bytes.data() + done, bytes.size() - done);
    if (written <= 0) break;
    done += static_cast<std::size_t>(written);
  }
  if (out < 0 || done < bytes.size() || ::close(out) != 0)
    throw FileError(std::string("the answer cannot be written: ") + std::strerror(errno));
}

PartShape readShape(const std::string& bytes) {
  std::istringstream stream(bytes);
  PartShape part;
  BinTools::Read(part.shape, stream);
  if (part.shape.IsNull()) throw InputError("the exact shape cannot be read");
  TopExp::MapShapes(part.shape, TopAbs_FACE, part.faces);
  part.styles.resize(static_cast<std::size_t>(part.faces.Extent()));
  return part;
}

/// Makes the mesh. Edges that have been divided finely for a face keep their points in its neighbours.
Model refined(const PartShape& part, const Refinement& request, ProgressLines& progress) {
  FineFaces fine;
  for (const int face : request.faces) {
    if (face < 0 || face >= part.faces.Extent()) throw InputError("there is no face " + std::to_string(face));
    fine.faces.Add(part.faces(face + 1));
  }
  const auto moved = [&](double fraction) { progress.report("refining", fraction); };
  Model model;
  // The library misses what it was asked for by a little on some surfaces.
  constexpr int tries = 4;
  constexpr double margin = 0.8;
  fine.linear = margin * request.fine;
  for (int i = 0; i < tries; ++i, fine.linear /= 2) {
    std::vector<ImportWarning> warnings;
    TriangleMesh mesh = tessellate(part, request.others, false, warnings, moved, fine);
    const bool isReached = std::ranges::all_of(request.faces, [&](int face) {
      const auto error = mesh.chordErrorOf(SurfaceId(static_cast<std::uint32_t>(face)));
      return error && *error <= request.fine;
    });
    if (!isReached && i + 1 < tries) continue;
    model.warnings = std::move(warnings);
    model.assembly.addPart(std::make_shared<const TriangleMesh>(std::move(mesh)));
    break;
  }
  return model;
}

}  // namespace

int answerRefinements(const std::filesystem::path& folder) {
  (void)confine({{}, {folder}, {}});
  std::map<std::size_t, PartShape> shapes;
  ProgressLines progress;
  for (std::string line; std::getline(std::cin, line);) {
    try {
      std::istringstream words(line);
      words.imbue(std::locale::classic());
      std::string word;
      words >> word;
      if (word == "shape") {
        std::size_t number = 0, size = 0;
        words >> number >> size;
        std::string bytes(size, '\0');
        if (!std::cin.read(bytes.data(), static_cast<std::streamsize>(size))) return 0;
        shapes[number] = withOcctFailures([&] { return readShape(bytes); });
      } else {
        const Refinement request = parse(words);
        const auto shape = shapes.find(request.shape);
        if (shape == shapes.end()) throw InputError("there is no such shape");
        const Model model = withOcctFailures([&] { return refined(shape->second, request, progress); });
        write(folder / ImportFolder::modelName, modelFileBytes(model));
      }
      say("done");
    } catch (const std::bad_alloc&) {
      say("error out of memory");
      return importer_protocol::outOfMemoryExitCode;
    } catch (const std::exception& error) {
      say(std::string("error ") + error.what());
    }
  }
  return 0;
}

}  // namespace fitup::importers
