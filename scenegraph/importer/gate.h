#pragma once

#include <string>

namespace fitup::importers {

/// Decides what this process may open, load and ask the network for. Not called again from within a decision.
class Gatekeeper {
 public:
  /// By dlopen, as it was asked for: a path, or a name that would be searched for.
  virtual bool mayLoad(const std::string& library) = 0;
  /// A relative path is from the working folder.
  virtual bool mayRead(const std::string& file) = 0;
  /// Somebody asked for this, and was refused: writing, making a folder, looking up a host, making a socket.
  virtual void refused(const std::string& what) = 0;

 protected:
  ~Gatekeeper() = default;
};

/// While it lives nothing of this process opens files for writing, makes folders or uses the network, and
/// libraries and files are opened by leave of the keeper only, whoever asks: Coin, COLLADA DOM and others
/// open what a scene names by themselves, and have no callback that would decide for them.
///
/// Functions of this program stand in for those of the C library, by the dynamic linker's rule that symbols
/// of the program come first. They keep out what data make well-meaning code do; code that runs already could
/// pass by them. What the C library opens for itself is not seen.
class Gate {
 public:
  /// Refers to the keeper. One gate at a time.
  explicit Gate(Gatekeeper& keeper) noexcept;
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  /// While it lives the calling thread is not asked: for what the keeper does itself.
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
