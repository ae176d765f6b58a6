#pragma once

#include <string>

namespace fitup::importers {

/// Decides what this process may open, load and request from the network. It is not called again from within
/// a decision.
class Gatekeeper {
 public:
  /// For dlopen, with the argument as given: a path, or a name to be searched for.
  virtual bool mayLoad(const std::string& library) = 0;
  /// A relative path begins at the working folder.
  virtual bool mayRead(const std::string& file) = 0;
  /// Reports a refused request: writing, making a folder, looking up a host, making a socket.
  virtual void refused(const std::string& what) = 0;

 protected:
  ~Gatekeeper() = default;
};

/// While it lives, nothing in this process opens files for writing, makes folders or uses the network;
/// libraries and files are opened only if the keeper allows it. This covers Coin, COLLADA DOM and others,
/// which open what a scene names by themselves and have no callback for the decision.
///
/// Functions of this program replace those of the C library, by the dynamic linker's rule that symbols of the
/// program come first. They stop what data make well-meaning code do; malicious code in the process could
/// bypass them. Files that the C library opens for itself are not seen.
class Gate {
 public:
  /// Keeps a reference to the keeper. Only one gate may exist at a time.
  explicit Gate(Gatekeeper& keeper) noexcept;
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  /// While it lives, the keeper is not asked about the calling thread: for what the keeper does itself.
  class Leave {
   public:
    Leave() noexcept;
    ~Leave();
    Leave(const Leave&) = delete;
    Leave& operator=(const Leave&) = delete;

   private:
    bool before_;
  };
};

}  // namespace fitup::importers
