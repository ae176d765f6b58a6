#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>

namespace fitup::test {

/// What became of damaged files.
struct MutationTally {
  std::size_t complete = 0;        ///< an answer without a word on missing geometry
  std::size_t incomplete = 0;      ///< an answer that says that geometry is missing
  std::size_t refused = 0;         ///< a clear error
  std::size_t crashed = 0;         ///< an error that says that the importer crashed ...
  std::size_t outOfMemory = 0;     ///< ... or needed too much memory
  std::size_t hung = 0;            ///< ... or made no progress
  std::vector<std::string> wrong;  ///< what must not be, with the number of the mutation

  [[nodiscard]] std::string text() const;
};

/// Reads a file; throws as `readAssembly`.
using ImportFunction = std::function<Model(const std::filesystem::path&)>;

/// Imports `count` mutations of a valid file (`bytes`, with the name's extension) in a folder of its own. The
/// seed of mutation i is `seed + i`, so that any can be made again alone. Wrong is: an exception that is no
/// error of the toolkit or has no text, an unusable result, and an answer that calls itself complete though
/// the text declares more than what arrived (`declaredElements`) or holds what no reader can take whole.
MutationTally importMutations(const std::string& name, const std::string& bytes, std::size_t count,
                              std::uint64_t seed, const ImportFunction& import);

/// What a look at the text alone, without the readers' code, says of a file.
struct DeclaredElements {
  std::size_t count = 0;   ///< triangles of an OBJ or STL file, faces of a STEP or IGES file
  bool malformed = false;  ///< OBJ, text STL: a line that no reader can take whole
};
DeclaredElements declaredElements(const std::string& extension, const std::string& bytes);

}  // namespace fitup::test
