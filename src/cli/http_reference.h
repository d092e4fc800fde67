// docs/reference/http.md: the routes for people, told from the document that tells them to programs.
#pragma once

#include <string>
#include <string_view>

namespace sa {

// What the section of a route is called there; the method as OpenAPI writes it.
std::string route_title(std::string_view method, std::string_view path);

void print_http_reference();

}  // namespace sa
