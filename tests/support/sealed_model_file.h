#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace fitup::test {

/// An entry of a model file's directory (docs/formats/model-file.md).
struct ModelFileBlock {
  std::uint32_t kind, index;
  std::uint64_t offset, size, checksum;
};

/// The file with the right size and the right checksums, as far as it has blocks: damage then reaches what
/// stands behind them. `change` may alter entries of the directory before.
std::string sealedModelFile(std::string_view file, const std::function<void(ModelFileBlock&)>& change = {});

}  // namespace fitup::test
