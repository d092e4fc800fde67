// The reference page of agents and their manifests, printed as Markdown from the manifests and their shapes.
#pragma once

namespace sa {

void print_agents_reference();

}  // namespace sa
