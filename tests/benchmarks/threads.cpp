#include "threads.h"

#include <chrono>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <fitup/base/error.h>
#include <fitup/query/intersect.h>
#include <models/wrinkled.h>

namespace fitup::bench {
namespace {

constexpr int repeats = 8;  // queries per measure, so that starting threads does not matter

template <typename Work>
double millisecondsOf(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

ThreadsResult runThreads(unsigned threads, int rounds) {
  const Assembly pair = models::makeWrinkledPair();
  const auto model = CollisionModel::build(pair.sharedPart(PartId{0}));
  const std::vector<NodeId> instances = pair.instances();
  const PosedModel a{model, pair.worldFromNode(instances[0])}, b{model, pair.worldFromNode(instances[1])};
  std::vector<QueryContext> contexts(threads);
  const auto requestOn = [](unsigned shared) {
    IntersectionRequest request;
    request.threads = shared;
    return request;
  };
  if (intersect(a, b, requestOn(threads), contexts[0]).trianglePairs !=
      intersect(a, b, requestOn(1), contexts[0]).trianglePairs)
    throw Error("one thread and several find different pairs");
  const auto queries = [&](QueryContext& context, unsigned shared) {
    const IntersectionRequest request = requestOn(shared);
    for (int k = 0; k < repeats; ++k) (void)intersect(a, b, request, context);
  };

  ThreadsResult result;
  result.threads = threads;
  std::vector<double> one, shared, gain, controlGain, ofControl;
  for (int round = -1; round < rounds; ++round) {  // the first round warms up
    const double single = millisecondsOf([&] { queries(contexts[0], 1); });
    const double together = millisecondsOf([&] { queries(contexts[0], threads); });
    const double control = millisecondsOf([&] {
      std::vector<std::jthread> others;
      for (unsigned t = 1; t < threads; ++t) others.emplace_back([&, t] { queries(contexts[t], 1); });
      queries(contexts[0], 1);
    });
    if (round < 0) continue;
    one.push_back(single / repeats);
    shared.push_back(together / repeats);
    gain.push_back(single / together);
    controlGain.push_back(threads * single / control);
    ofControl.push_back(gain.back() / controlGain.back());
  }
  result.oneMilliseconds = medianInterval(one);
  result.sharedMilliseconds = medianInterval(shared);
  result.gain = medianInterval(gain);
  result.controlGain = medianInterval(controlGain);
  result.ofControl = medianInterval(ofControl);
  return result;
}

void print(const ThreadsResult& r) {
  const auto line = [](const std::string& what, const MedianInterval& value, const char* unit) {
    fmt::print("{:<46}{}{}\n", what, text(value), unit);
  };
  line("all triangles of the wrinkled pair, 1 thread", r.oneMilliseconds, " ms");
  line(fmt::format("one query on {} threads", r.threads), r.sharedMilliseconds, " ms");
  line("gain", r.gain, "");
  line(fmt::format("gain of {} independent queries at once", r.threads), r.controlGain, "");
  line("part of that gain", r.ofControl, "");
}

}  // namespace fitup::bench
