// What may stand in a command line's last word: computed from the command table. Pure, but for the names that `sources` ask
// for.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/invocation.h"

namespace sa {

struct Candidate {
  std::string word;
  std::string help;
};

struct Candidates {
  std::vector<Candidate> words;
  Completes paths = Completes::nothing;  // file or folder: the shell completes paths itself
};

// Names that are not in the table; asked only where they may stand.
struct CompletionSources {
  std::function<std::vector<Candidate>()> agents;
  std::function<std::vector<Candidate>()> instances;
};

// `words` follow the program's name; the last one is begun, or empty.
Candidates complete_words(std::vector<std::string_view> words, const CompletionSources& sources);

// The instances in a daemon's answer to GET /v1/acp, each with its agent. What could not be an id, such as one of several
// lines, is left out.
std::vector<Candidate> instances_in(std::string_view answer);

// From the catalog, and from the daemon that runs here, which has 300 ms to answer; nothing when there is none.
CompletionSources real_sources();

}  // namespace sa
