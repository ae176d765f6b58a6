// Stands in for an importer: does what the first line of its input file says. For tests of the caller.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>

namespace {

void say(const char* text) {
  std::puts(text);
  std::fflush(stdout);
}

[[noreturn]] void sleepForever() {
  for (;;) ::sleep(1000);
}

/// Writes a triangle with trees of another layout than the default, or without trees.
void writeTriangle(const char* file, const std::string& name = "triangle", bool withTrees = false) {
  fitup::TriangleMeshBuilder builder(name);
  builder.addPoint({0, 0, 0});
  builder.addPoint({1, 0, 0});
  builder.addPoint({0, 1, 0});
  builder.addTriangle(0, 1, 2);
  fitup::Model model;
  const auto part = model.assembly.addPart(std::make_shared<const fitup::TriangleMesh>(builder.build()));
  model.assembly.addNode("triangle", {}, std::nullopt, part);
  if (withTrees) {
    fitup::BuildOptions build;
    build.wide->layout = fitup::WideLayout::compact;
    model.collisionModels = fitup::buildCollisionModels(model.assembly, build);
  }
  fitup::writeModelFile(file, model);
}

}  // namespace

int main(int argc, char** argv) {
  std::string mode;
  if (argc < 3 || !std::getline(std::ifstream(argv[1]), mode)) return 1;
  if (mode == "mute") return 3;
  say("progress 0.25 reading");
  if (mode == "good") {
    say("a line that means nothing");
    writeTriangle(argv[2]);
    say("done");
    return 0;
  }
  if (mode == "secret companion") {
    fitup::Model model;
    model.source.referencedFiles = {{"../secret", {}}};
    fitup::writeModelFile(argv[2], model);
    say("done");
    return 0;
  }
  if (mode == "trees") {
    writeTriangle(argv[2], "triangle", true);
    say("done");
    return 0;
  }
  if (mode == "name") {  // the second line, after a delay in which the file can be exchanged
    ::usleep(200'000);
    std::ifstream file(argv[1]);
    std::string name;
    std::getline(std::getline(file, mode), name);
    writeTriangle(argv[2], name);
    say("done");
    return 0;
  }
  if (mode == "hang") sleepForever();
  if (mode == "hang with a child") {
    const pid_t child = ::fork();
    if (child == 0) sleepForever();
    std::ofstream(argv[3]) << child;
    sleepForever();
  }
  if (mode == "busy") {  // lines, but no progress
    for (;;) {
      say("still here");
      ::usleep(10000);
    }
  }
  if (mode == "crash") {
    std::cerr << "first words\nlast words" << std::endl;
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would catch it
    std::raise(SIGSEGV);
  }
  if (mode == "abort") std::abort();
  if (mode == "eat") {
    say("progress -1 eating");
    std::vector<std::unique_ptr<char[]>> eaten;
    for (int i = 0; i < 100000; ++i) {
      eaten.push_back(std::make_unique<char[]>(1 << 20));
      std::memset(eaten.back().get(), i, 1 << 20);
    }
  }
  // Beside the result, whose folder is the working folder from here on.
  const std::filesystem::path beside = std::filesystem::path(argv[2]).parent_path();
  if (mode == "fill") {
    std::filesystem::current_path(beside);
    const std::string block(4 << 20, 'x');
    for (int i = 0; i < 80; ++i) std::ofstream(std::to_string(i)) << block;
    sleepForever();
  }
  if (mode == "nest") {
    std::filesystem::current_path(beside);
    for (int i = 0; i < 300; ++i)
      if (::mkdir("deep", 0700) != 0 || ::chdir("deep") != 0) return 4;
    sleepForever();
  }
  if (mode == "litter") {  // the second line: where the links lead
    std::ifstream file(argv[1]);
    std::string target;
    std::getline(std::getline(file, mode), target);
    std::filesystem::current_path(beside);
    std::filesystem::create_symlink(target, "link");
    std::filesystem::create_directory_symlink(target, "files/folder link");
    ::mkdir("closed", 0700);
    std::ofstream("closed/file") << "left behind";
    ::mkdir("closed/below", 0);
    ::chmod("closed", 0);
    for (int i = 0; i < 1000; ++i)
      if (::mkdir("deep", 0700) != 0 || ::chdir("deep") != 0) return 4;
    std::ofstream("file") << "left behind";
    std::abort();
  }
  if (mode == "refuse") {
    say("error the file smells");
    return 2;
  }
  if (mode == "garbage") {
    std::ofstream(argv[2]) << "not a model file";
    say("done");
    return 0;
  }
  if (mode == "silent") return 0;
  if (mode == "flood") {  // more than a pipe holds, on both streams, without line ends
    const std::string block(1 << 20, 'x');
    for (int i = 0; i < 8; ++i) {
      std::fwrite(block.data(), 1, block.size(), stdout);
      std::fwrite(block.data(), 1, block.size(), stderr);
    }
    return 5;
  }
  return 1;
}
