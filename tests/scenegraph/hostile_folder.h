#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <osg/Node>

#include <support/run_program.h>
#include <support/temporary_folder.h>

namespace osgFitup::test {

/// A folder from an attacker, and what reveals that it was executed: libraries that write a file when they
/// are loaded, scripts and names that write it when they are run, and a server that nobody should contact.
/// Beside it is `outside.EXTENSION`, geometry that a scene must not read.
class HostileFolder {
 public:
  HostileFolder();
  ~HostileFolder();
  HostileFolder(const HostileFolder&) = delete;
  HostileFolder& operator=(const HostileFolder&) = delete;

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return scenes() / name; }
  [[nodiscard]] std::filesystem::path outside(const std::string& name) const { return folder_ / name; }

  /// Returns "127.0.0.1:PORT" of the server.
  [[nodiscard]] std::string address() const;
  /// Returns names that osgDB reads, runs, unpacks or fetches and that a scene must not refer to. Those that
  /// are files exist.
  [[nodiscard]] std::vector<std::string> forbiddenReferences() const;

  /// Returns what has happened since the last call and must not; empty if nothing has.
  [[nodiscard]] std::string damage();

  /// The folder for temporary files of the programs.
  [[nodiscard]] std::filesystem::path temporaryFiles() const { return folder_ / "temporary"; }
  /// Runs a program in the hostile folder. `searched`: the system looks for libraries there first, as for
  /// users whose LD_LIBRARY_PATH has an empty entry.
  [[nodiscard]] fitup::test::ProgramResult run(const std::string& program,
                                               const std::vector<std::string>& arguments,
                                               bool searched = true) const;

 private:
  [[nodiscard]] std::filesystem::path scenes() const { return folder_ / "scenes"; }

  fitup::test::TemporaryFolder folder_;
  int server_ = -1;
};

/// Writes a scene by osgDB, with external references unchanged.
void writeScene(const osg::Node& scene, const std::filesystem::path& file);
/// Makes a box below a transform of that name.
osg::ref_ptr<osg::Node> namedBox(const std::string& name, const osg::Vec3& centre);

/// Writes two triangles by hand as a file of that extension: iv, wrl, dae, lwo. `references`: files whose
/// contents belong to it, if the format supports this (iv, wrl, dae).
std::string handWritten(const std::string& extension, const std::vector<std::string>& references = {});
/// Makes a LightWave scene of objects in files.
std::string lightWaveScene(const std::vector<std::string>& objects);

}  // namespace osgFitup::test
