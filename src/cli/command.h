// What a command is: one row of the table in commands.cc. Parsing, help, completion, the reference page and the schema of
// --json follow from it. Plain data that lives as long as the process.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "api/endpoint.h"
#include "base/failure.h"

namespace sa {

class Invocation;

// What a shell may offer for a word.
enum class Completes : std::uint8_t { nothing, file, folder, agent, instance, words };

struct Option {
  std::string_view name;        // with dashes
  std::string_view short_name;  // such as "-a", or empty
  std::string_view value;       // what stands for its value in help; empty for a switch
  std::string_view help;
  Completes completes = Completes::nothing;
  std::string_view words{};  // that it takes, separated by spaces, when it completes those
};

struct Argument {
  enum class Count : std::uint8_t { one, optional, some, any };  // some: at least one
  std::string_view name;                                         // as help writes it, such as "AGENT"
  std::string_view help;
  Count count = Count::one;
  Completes completes = Completes::nothing;
  std::string_view words{};
};

// Options many commands share.
enum class Shared : std::uint8_t {
  none = 0,
  server = 1,    // --endpoint, --token-file, --token: commands that talk to a daemon
  settings = 2,  // every setting of the server
};

// What --json prints.
struct JsonOutput {
  enum class Kind : std::uint8_t { document, lines };  // lines: one document each
  Kind kind = Kind::document;
  std::string_view help;
  SchemaOf schema = nullptr;
};

// Where help lists it.
enum class Section : std::uint8_t { first, daemon, instances, agents, tools, api, hidden };

struct Command {
  std::string_view name;  // its words, such as "daemon start"
  Section section = Section::tools;
  std::string_view summary;  // for the list of commands
  std::string_view help{};   // further sentences
  std::span<const Argument> arguments{};
  std::span<const Option> options{};
  Shared shared = Shared::none;
  std::span<const std::string_view> settings{};  // the server's that it takes too, by flag, when not all are shared
  JsonOutput json{};
  Outcome<Exit> (*run)(Invocation& given) = nullptr;
  bool takes_rest = false;     // whatever follows "--"
  std::string_view example{};  // a command line to try
};

}  // namespace sa
