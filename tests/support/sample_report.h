#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fitup/io/report_document.h>

namespace fitup::test {

/// Makes a report of three instances that uses every field; a replay has two steps.
ReportDocument fullReport(ReportKind kind);

/// Makes a finding between the n-th face of one part and the m-th of the other; faces of a part differ in
/// place.
ReportedFinding sampleFinding(const std::string& pathA, std::uint32_t n, const std::string& pathB,
                              std::uint32_t m);

/// Makes a complete check of the instances "a", "b", "c" without findings.
ReportDocument emptyCheck();

/// Makes a check whose findings between the instances are those of the given faces.
ReportDocument checkWith(const std::string& a, const std::string& b,
                         const std::vector<std::pair<std::uint32_t, std::uint32_t>>& faces);

}  // namespace fitup::test
