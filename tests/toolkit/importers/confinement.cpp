#include <catch2/catch.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/io/read_assembly.h>

#include "support/temporary_folder.h"

namespace confinement_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// A port of this machine with a listener.
class Listener {
 public:
  Listener() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(::bind(socket_, reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(::listen(socket_, 4) == 0);
    REQUIRE(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    port_ = ntohs(address.sin_port);
  }
  ~Listener() { ::close(socket_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  [[nodiscard]] int port() const { return port_; }

 private:
  int socket_, port_ = 0;
};

/// A file below a folder, read by the probe in place of an importer.
struct Probe {
  TemporaryFolder importers, outside, folder;
  ReadOptions options;

  Probe() {
    std::filesystem::create_symlink(FITUP_CONFINEMENT_PROBE, importers / "fitup-import-cad");
    options.importerFolder = importers.path();
    writeText(outside / "secret", "secret");
    writeText(folder / "beside", "a file of the model's");
    std::filesystem::create_symlink(outside / "secret", folder / "link");
  }
  /// Returns the result of an attempt, without the words before it.
  std::string attempt(const std::string& what, const std::string& argument = {}) {
    const std::filesystem::path file = folder / "model.step";
    writeText(file, what + "\n" + argument);
    const std::string message = messageOf<ImportError>([&] { (void)readAssembly(file, options); });
    const std::string before = file.string() + ": refused: ";
    return message.starts_with(before) ? message.substr(before.size()) : message;
  }
  /// Whether a layer is in force here, according to the probe itself.
  bool has(std::string_view layer) {
    const std::vector<std::string> lines = confinementOfImporters(options);
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.find(layer) != line.npos; });
  }
};

constexpr const char* notPermitted = "Operation not permitted";
constexpr const char* denied = "Permission denied";

}  // namespace

TEST_CASE("importers reach neither the network nor other programs and processes",
          "[importers][confinement]") {
  Probe probe;
  if (!probe.has("seccomp:")) {
    WARN("seccomp is not in force here: not tested");
    return;
  }
  const Listener listener;
  CHECK(probe.attempt("connect", std::to_string(listener.port())) == notPermitted);
  CHECK(probe.attempt("socket") == notPermitted);
  CHECK(probe.attempt("run", "/bin/true") == notPermitted);
  CHECK(probe.attempt("fork") == notPermitted);
  CHECK(probe.attempt("signal") == notPermitted);
  CHECK(probe.attempt("io_uring") == notPermitted);
  CHECK(probe.attempt("chmod", (probe.outside / "secret").string()) == notPermitted);
  CHECK(probe.attempt("fchmod", (probe.folder / "beside").string()) == notPermitted);
  CHECK(probe.attempt("truncate", (probe.folder / "beside").string()) == notPermitted);
  CHECK(probe.attempt("empty", (probe.folder / "beside").string()) == notPermitted);
  CHECK(probe.attempt("signal when ready") == notPermitted);
  CHECK(probe.attempt("affinity") == notPermitted);
  CHECK(probe.attempt("thread") == "done");
}

TEST_CASE("calls of another architecture end an importer", "[importers][confinement]") {
  Probe probe;
  const std::string outcome = probe.attempt("call of x32");
  if (!probe.has("seccomp:") || outcome == "not of this architecture") {
    WARN("not tested: seccomp is not in force here, or the processor has no x32");
    return;
  }
  CHECK_THAT(outcome, Catch::Contains("importer crashed (signal 31)"));  // SIGSYS
}

TEST_CASE("importers read the folder of their file and the system, and write their result alone",
          "[importers][confinement]") {
  Probe probe;
  if (!probe.has("Landlock ")) {
    WARN("Landlock is not in force here: not tested");
    return;
  }
  const std::string secret = (probe.outside / "secret").string(), beside = (probe.folder / "beside").string();
  CHECK(probe.attempt("read", secret) == denied);
  CHECK(probe.attempt("read", (probe.folder / "link").string()) == denied);
  CHECK(probe.attempt("read", "/proc/self/root" + secret) == denied);
  CHECK(probe.attempt("read", "/etc/passwd") == denied);
  CHECK(probe.attempt("read", beside) == "done");
  CHECK(probe.attempt("read", "/usr/share") == "done");
  for (const char* what : {"write", "remove"}) {
    INFO(what);
    CHECK(probe.attempt(what, beside) == denied);
    CHECK(probe.attempt(what, secret) == denied);
  }
  CHECK(probe.attempt("write", (probe.folder / "new").string()) == denied);
  CHECK(probe.attempt("write beside the result") == "done");
  CHECK(readText(beside) == "a file of the model's");

  SECTION("a root folder widens what may be read") {
    probe.options.root = probe.outside.path().parent_path();
    CHECK(probe.attempt("read", secret) == "done");
    CHECK(probe.attempt("write", secret) == denied);
  }
}

TEST_CASE("what is in force can be asked", "[importers][confinement]") {
  Probe probe;
  const std::vector<std::string> lines = confinementOfImporters(probe.options);
  REQUIRE(lines.size() >= 2);
  CHECK(lines[0] == "fitup-import-cad:");
  CHECK((probe.has("privileges  cannot be gained") || probe.has("sanitizers")));
}

}  // namespace confinement_tests
