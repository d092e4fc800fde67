// What is known of one agent before anything of it is installed: its file under agents/ (built in), in the user's agents
// folder, or the words of --agent. Values; the functions are pure. Documented for users from these shapes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/shape.h"

namespace sa {

// A program in an npm package.
struct NpmSource {
  std::string package;
  std::string version;   // exact
  std::string bin;       // which of its programs; empty: the only one, or the one named like the package
  std::string node;      // least Node.js it runs on, such as "22.19"; empty: any we can install with
  bool scripts = false;  // whether its install scripts must run
};

template <>
struct Shape<NpmSource> {
  using E = NpmSource;
  static constexpr std::string_view name = "NpmSource";
  static constexpr std::string_view help = "A program in an npm package.";
  static constexpr bool absent_is_default = true;
  static constexpr std::tuple fields{
      Field{"package", &E::package, "The package's name."},
      Field{"version", &E::version, "The exact version that is known to work."},
      Field{"bin", &E::bin, "Which of its programs; without it the only one, or the one named like the package."},
      Field{"node", &E::node, "The least Node.js version it runs on. An older one on PATH: Node.js is installed beside it."},
      Field{"scripts", &E::scripts, "Whether its install scripts must run. They do not unless this says so."},
  };
};

// The program that speaks ACP.
struct ProcessSource {
  std::optional<NpmSource> npm;  // the pinned fallback for what the registry does not list
  std::vector<std::string> args;
  std::map<std::string, std::string> env;
};

template <>
struct Shape<ProcessSource> {
  using E = ProcessSource;
  static constexpr std::string_view name = "AgentProcessSource";
  static constexpr std::string_view help = "Where the program that speaks ACP comes from when the registry does not list it.";
  static constexpr bool absent_is_default = true;
  static constexpr std::tuple fields{
      Field{"npm", &E::npm, "The pinned package."},
      Field{"args", &E::args, "The arguments it needs to speak ACP."},
      Field{"env", &E::env, "Variables it gets unless the environment has them."},
  };
};

// A command line tool the ACP program needs beside itself.
struct NativeSource {
  std::string program;  // its name on PATH
  bool pinned_only = false;
  std::optional<NpmSource> npm;
  std::string how;  // a sentence for people when it cannot be installed by us
  std::vector<std::string> verify;
};

template <>
struct Shape<NativeSource> {
  using E = NativeSource;
  static constexpr std::string_view name = "NativeSource";
  static constexpr std::string_view help = "A command line tool the ACP program needs beside itself.";
  static constexpr bool absent_is_default = true;
  static constexpr std::tuple fields{
      Field{"program", &E::program, "Its name. Looked for in our own folder, then on PATH, before it is installed."},
      Field{"pinnedOnly", &E::pinned_only, "Only the pinned package needs it, not what the registry lists."},
      Field{"npm", &E::npm, "The package that carries it."},
      Field{"how", &E::how, "How a person gets it, when no package does."},
      Field{"verify", &E::verify, "Arguments with which it ends well when it works."},
  };
};

// A key the agent reads from its environment.
struct CredentialVariable {
  std::string name;
  std::vector<std::string> aliases;
};

template <>
struct Shape<CredentialVariable> {
  using E = CredentialVariable;
  static constexpr std::string_view name = "CredentialVariable";
  static constexpr std::string_view help = "A key the agent reads from its environment.";
  static constexpr bool absent_is_default = true;
  static constexpr std::tuple fields{
      Field{"name", &E::name, "The variable the agent reads."},
      Field{"aliases", &E::aliases, "Other variables people keep this key in: handed over under the name above."},
  };
};

// A key in a JSON file the agent keeps.
struct CredentialInFile {
  std::string file;
  std::string pointer;
  std::string variable;
};

template <>
struct Shape<CredentialInFile> {
  using E = CredentialInFile;
  static constexpr std::string_view name = "CredentialInFile";
  static constexpr std::string_view help = "A key in a JSON file the agent itself keeps.";
  static constexpr bool absent_is_default = true;
  static constexpr std::tuple fields{
      Field{"file", &E::file, "The file, written like those of `files`."},
      Field{"pointer", &E::pointer, "Where in it the key is: a JSON pointer, such as '/provider/key'."},
      Field{"variable", &E::variable, "The variable agents read this key from."},
  };
};

struct CredentialPlaces {
  bool needed = true;
  std::vector<CredentialVariable> variables;
  std::vector<std::string> files;
  std::vector<CredentialInFile> values{};
};

template <>
struct Shape<CredentialPlaces> {
  using E = CredentialPlaces;
  static constexpr std::string_view name = "CredentialPlaces";
  static constexpr std::string_view help = "Where the agent's credentials may be. Any one of them is enough.";
  static constexpr bool absent_is_default = true;
  static constexpr std::tuple fields{
      Field{"needed", &E::needed, "False for an agent that needs none."},
      Field{"variables", &E::variables, "Variables of the environment, most usual first."},
      Field{"files", &E::files, "Files the agent itself keeps them in; '~/' is the home directory, '$NAME/' a variable's."},
      Field{"values", &E::values,
            "Keys in those files that are also of use elsewhere, for 'sandbox-agent credentials extract'."},
  };
};

struct Choice {
  std::string value;
  std::string name;
};

template <>
struct Shape<Choice> {
  static constexpr std::string_view name = "Choice";
  static constexpr std::string_view help = "One value of an option.";
  static constexpr std::tuple fields{
      Field{"value", &Choice::value, "As the agent wants it."},
      Field{"name", &Choice::name, "As people read it."},
  };
};

// A select option of ACP, as an agent offers it in session/new.
struct ConfigOption {
  std::string id;
  std::string name;
  std::string category;  // "model", "mode", "thought_level" or another word
  std::string current_value;
  std::vector<Choice> options;
};

template <>
struct Shape<ConfigOption> {
  using E = ConfigOption;
  static constexpr std::string_view name = "DefaultOption";
  static constexpr std::string_view help = "An option the agent is known to offer, until it is asked itself.";
  static constexpr bool absent_is_default = true;
  static constexpr std::tuple fields{
      Field{"id", &E::id, "Its id."},
      Field{"name", &E::name, "As people read it."},
      Field{"category", &E::category, "'model', 'mode' or 'thought_level'."},
      Field{"currentValue", &E::current_value, "The agent's default."},
      Field{"options", &E::options, "The values."},
  };
};

struct Manifest {
  std::string id;
  std::string name;
  std::string description;
  std::string homepage;
  std::string license;
  int order = 100;
  std::vector<std::string> aliases;
  std::vector<std::string> registry;  // slugs, the current one first
  std::vector<std::string> platforms;
  std::vector<std::string> command;  // a program that is there already, instead of one to install
  std::map<std::string, std::string> env;
  std::optional<ProcessSource> process;
  std::optional<NativeSource> native;
  std::vector<std::string> verify;
  std::optional<CredentialPlaces> credentials;  // none: not known
  std::map<std::string, bool> capabilities;
  std::vector<ConfigOption> options;
  std::string unavailable;
};

template <>
struct Shape<Manifest> {
  using E = Manifest;
  static constexpr std::string_view name = "AgentManifest";
  static constexpr std::string_view help = "One agent.";
  static constexpr bool absent_is_default = true;
  static constexpr std::tuple fields{
      Field{"id", &E::id, "Its id in URLs and file names: letters, digits, '.', '_' and '-'. Required."},
      Field{"name", &E::name, "As people read it. Required."},
      Field{"description", &E::description, "One sentence."},
      Field{"homepage", &E::homepage, "Where to read more."},
      Field{"license", &E::license, "Under which terms it may be used."},
      Field{"order", &E::order,
            "Where it stands in lists, and in the choice of an agent when none is named: smaller first; 100."},
      Field{"aliases", &E::aliases, "Other ids it is found under."},
      Field{"registry", &E::registry, "Its ids in the ACP registry, the newest first: registries rename."},
      Field{"platforms", &E::platforms, "Where it runs, such as 'linux-x86_64'; without them everywhere."},
      Field{"command", &E::command,
            "A program that speaks ACP and is there already, with its arguments, instead of one to install. '{self}' is "
            "sandbox-agent itself."},
      Field{"env", &E::env, "Variables the agent gets, whatever the environment has."},
      Field{"process", &E::process, "The program that speaks ACP, to be installed."},
      Field{"native", &E::native, "A tool that program needs."},
      Field{"verify", &E::verify,
            "Arguments with which the pinned program ends well when it works. Without them, or when the registry lists "
            "another package, it must answer ACP's initialize."},
      Field{"credentials", &E::credentials, "Where its credentials may be; without this nothing is known of them."},
      Field{"capabilities", &E::capabilities, "What it can do, by the words of the API."},
      Field{"options", &E::options, "Options it is known to offer, until it is asked itself."},
      Field{"unavailable", &E::unavailable, "Why it cannot be had without the registry, and what a person can do."},
  };
};

// Ids become file names; nothing else may.
bool is_agent_id(std::string_view id);

// A name the environment can have.
bool is_variable_name(std::string_view name);

// An exact version or a tag, such as "1.2.3-beta.1" or "latest": nothing a package manager takes for a path or an address.
bool is_version(std::string_view text);

// The words of AgentManifest::capabilities, as the API has them.
extern const std::vector<std::string_view> capability_names;

// A manifest from its JSON. Error: unprocessable that names the field, invalid_request when it is no JSON.
Result<Manifest> read_manifest(std::string_view json);

}  // namespace sa
