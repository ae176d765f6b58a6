#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <osg/Node>

#include <support/run_program.h>
#include <support/temporary_folder.h>

namespace osgFitup::test {

/// A folder that somebody has sent, and what shows that it has come to life: libraries that leave a file when
/// they are loaded, scripts and names that leave it when they are run, and a server that nobody should ask.
/// Beside it `outside.EXTENSION`, geometry that is none of the scene's business.
class HostileFolder {
 public:
  HostileFolder();
  ~HostileFolder();
  HostileFolder(const HostileFolder&) = delete;
  HostileFolder& operator=(const HostileFolder&) = delete;

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return scenes() / name; }
  [[nodiscard]] std::filesystem::path outside(const std::string& name) const { return folder_ / name; }

  /// "127.0.0.1:PORT" of the server.
  [[nodiscard]] std::string address() const;
  /// Names that osgDB reads, runs, unpacks or fetches, of which a scene may refer to none. Those that are
  /// files are there.
  [[nodiscard]] std::vector<std::string> forbiddenReferences() const;

  /// What has happened since the last call and should not; empty if nothing has.
  [[nodiscard]] std::string damage();

  /// The folder of temporary files that programs have.
  [[nodiscard]] std::filesystem::path temporaryFiles() const { return folder_ / "temporary"; }
  /// A program in the hostile folder. `searched`: the system looks for libraries there first, as it does for
  /// users whose LD_LIBRARY_PATH has an empty entry.
  [[nodiscard]] fitup::test::ProgramResult run(const std::string& program,
                                               const std::vector<std::string>& arguments,
                                               bool searched = true) const;

 private:
  [[nodiscard]] std::filesystem::path scenes() const { return folder_ / "scenes"; }

  fitup::test::TemporaryFolder folder_;
  int server_ = -1;
};

/// Writes by osgDB, external references as they are.
void writeScene(const osg::Node& scene, const std::filesystem::path& file);
/// A box below a transform of that name.
osg::ref_ptr<osg::Node> namedBox(const std::string& name, const osg::Vec3& centre);

/// Two triangles as a file of that extension, written by hand: iv, wrl, dae, lwo. `references`: files whose
/// contents belong to it, where the format can say so (iv, wrl, dae).
std::string handWritten(const std::string& extension, const std::vector<std::string>& references = {});
/// A LightWave scene of objects in files.
std::string lightWaveScene(const std::vector<std::string>& objects);

}  // namespace osgFitup::test
