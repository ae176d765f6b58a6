#include <fitup/base/digest.h>

#include <openssl/evp.h>

#include <fitup/base/error.h>

namespace fitup {

struct Digester::Context {
  struct Freed {
    void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Freed> context{EVP_MD_CTX_new()};
};

namespace {

void require(int done) {
  if (done != 1) throw Error("SHA-256 is not available from OpenSSL on this system");
}

}  // namespace

Digester::Digester() : context_(std::make_unique<Context>()) {
  require(context_->context ? EVP_DigestInit_ex(context_->context.get(), EVP_sha256(), nullptr) : 0);
}

Digester::~Digester() = default;

void Digester::add(std::span<const std::byte> bytes) {
  require(EVP_DigestUpdate(context_->context.get(), bytes.data(), bytes.size()));
}

Digest Digester::finish() {
  Digest digest;
  require(EVP_DigestFinal_ex(context_->context.get(), digest.bytes.data(), nullptr));
  return digest;
}

Digest digestOf(std::span<const std::byte> bytes) {
  Digester digester;
  digester.add(bytes);
  return digester.finish();
}

Digest digestOf(std::string_view text) { return digestOf(std::as_bytes(std::span(text))); }

std::string digestText(const Digest& digest) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest.bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace fitup
