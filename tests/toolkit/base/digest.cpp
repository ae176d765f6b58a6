#include <fitup/base/digest.h>

#include <catch2/catch.hpp>

#include <string>

namespace digest_tests {

using namespace fitup;

TEST_CASE("digests are SHA-256", "[base]") {
  // From the examples of FIPS 180-4.
  CHECK(digestText(digestOf("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(digestText(digestOf("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(digestText(digestOf(std::string(1'000'000, 'a'))) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("it does not matter where the pieces of a digest's bytes end", "[base]") {
  const std::string text(1000, 'x');
  for (const std::size_t cut : {0UL, 1UL, 63UL, 64UL, 65UL, 999UL, 1000UL}) {
    Digester digester;
    digester.add(text.substr(0, cut));
    digester.add(text.substr(cut));
    CHECK(digester.finish() == digestOf(text));
  }
}

TEST_CASE("an unknown digest is that of no bytes", "[base]") {
  CHECK_FALSE(Digest().isKnown());
  CHECK(digestOf("").isKnown());
}

}  // namespace digest_tests
