#pragma once

#include <catch2/catch.hpp>

#include <string>

namespace fitup::test {

/// Where the text of the assembly of support/write_test_step.cpp can be extended by mapped items.
struct AssemblyText {
  std::size_t firstItem;  ///< position of the first item of the assembly's representation
  std::string origin;     ///< number of that item, a placement at the origin: "#11"
  std::string block;      ///< number of the representation of the block

  explicit AssemblyText(const std::string& text) {
    constexpr std::string_view list = "SHAPE_REPRESENTATION('',(";
    const std::size_t at = text.find(list), brep = text.find(" = ADVANCED_BREP_SHAPE_REPRESENTATION");
    REQUIRE(at != text.npos);
    REQUIRE(brep != text.npos);
    firstItem = at + list.size();
    origin = text.substr(firstItem, text.find(',', firstItem) - firstItem);
    const std::size_t number = text.rfind('#', brep);
    block = text.substr(number, brep - number);
  }
};

}  // namespace fitup::test
