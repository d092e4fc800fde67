#include "report_file.h"

#include <cstdio>
#include <fstream>
#include <string_view>

#include "machine.h"

namespace bench {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + '"';
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.8g", value);
  return text;
}

const char* name_of(Report::Against against) {
  switch (against) {
    case Report::Against::nothing: return "null";
    case Report::Against::floor: return "\"floor\"";
    case Report::Against::peer: return "\"peer\"";
  }
  return "null";
}

const char* name_of(Scale scale) {
  switch (scale) {
    case Scale::linear: return "linear";
    case Scale::logarithmic: return "logarithmic";
    case Scale::steps: return "steps";
  }
  return "linear";
}

std::string machine_object() {
  const Machine machine = this_machine();
  return R"({"processor":)" + quoted(machine.processor) + R"(,"cores":)" + std::to_string(machine.cores) + R"(,"memoryMiB":)" +
         std::to_string(machine.memory_mib) + R"(,"kernel":)" + quoted(machine.kernel) + R"(,"compiler":)" +
         quoted("clang " + std::to_string(__clang_major__)) + "}";
}

std::string row_object(const Report::Row& row) {
  const bool limited = row.figure.limit > 0;
  return R"({"group":)" + quoted(row.group) + R"(,"measure":)" + quoted(row.figure.measure) + R"(,"unit":)" +
         quoted(row.figure.unit) + R"(,"against":)" + name_of(row.against) + R"(,"other":)" +
         (row.against == Report::Against::nothing ? "null" : number(row.other)) + R"(,"daemon":)" + number(row.daemon) +
         R"(,"ratio":)" + (row.ratio > 0 ? number(row.ratio) : "null") + R"(,"limit":)" +
         (limited ? number(row.figure.limit) : "null") + R"(,"limitOn":)" + (row.limit_on_ratio ? "\"ratio\"" : "\"value\"") +
         R"(,"moreIsBetter":)" + (row.more_is_better ? "true" : "false") + R"(,"holds":)" +
         (limited ? (row.holds ? "true" : "false") : "null") + "}";
}

std::string array_of(const std::vector<double>& values) {
  std::string result;
  for (const double value : values) result += (result.empty() ? "" : ",") + number(value);
  return "[" + result + "]";
}

std::string curve_object(const Curve& curve) {
  std::string series;
  for (const Series& one : curve.series)
    series += (series.empty() ? "" : ",") + (R"({"name":)" + quoted(one.name)) + R"(,"values":)" + array_of(one.values) + "}";
  return R"({"group":)" + quoted(curve.group) + R"(,"name":)" + quoted(curve.name) + R"(,"title":)" + quoted(curve.title) +
         R"(,"along":)" + quoted(curve.along) + R"(,"unit":)" + quoted(curve.unit) + R"(,"xScale":)" +
         quoted(name_of(curve.x_scale)) + R"(,"yScale":)" + quoted(name_of(curve.y_scale)) + R"(,"places":)" +
         array_of(curve.places) + R"(,"series":[)" + series + "]}";
}

template <class Items, class Write>
std::string lines_of(const Items& items, Write write) {
  std::string result;
  for (const auto& item : items) result += (result.empty() ? "\n" : ",\n") + write(item);
  return "[" + result + "\n]";
}

}  // namespace

void write_report_file(const std::string& path, const Setup& setup, const Report& report) {
  std::ofstream file(path);
  file << "{\n\"machine\":" << machine_object() << ",\n\"rounds\":" << setup.rounds << ",\n\"burstMs\":" << setup.burst_ms
       << ",\n\"fileMiB\":" << setup.file_bytes / (1024 * 1024) << ",\n\"rows\":" << lines_of(report.rows(), row_object)
       << ",\n\"curves\":" << lines_of(report.curves(), curve_object) << "\n}\n";
  if (!file.flush()) give_up(path.c_str());
}

}  // namespace bench
