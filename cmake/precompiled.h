// What most of our files include anyway, parsed once. Files still include what they use.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <coroutine>
#include <deque>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>
