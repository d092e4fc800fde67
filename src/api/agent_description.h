// What is known of an agent, as the API's document: for the routes, and for commands that work without a daemon. Looks at the
// disk, a few system calls: for a worker thread where the disk may be slow.
#pragma once

#include "agents/agents.h"
#include "agents/probe.h"
#include "agents/registry.h"
#include "api/agents_documents.h"

namespace sa {

struct AgentDescription {
  AgentPtr agent;
  AgentDocument document;
  std::string version;  // what an offer is remembered under
};

// Everything that is found on disk; `registry` is what it said, or what is known of it without asking.
AgentDescription describe_agent(const Agents& agents, const AgentPtr& agent, const Result<Registry::Document>& registry);

// Adds what an installed agent offers: as it said itself when it was asked, else as its manifest says.
void add_offer(AgentDescription& description, const ProbeResult* probed, bool with_config);

}  // namespace sa
