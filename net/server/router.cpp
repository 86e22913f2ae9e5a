#include "net/server/router.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace netml::net {
namespace {

constexpr std::array kAllMethods{Method::get,   Method::head, Method::post,   Method::put,
                                 Method::patch, Method::del,  Method::options};

std::string_view canonical_segment(std::string_view segment) {
  if (segment == "grenml_export") return "netml_export";
  if (segment == "grenml_import") return "netml_import";
  return segment;
}

// "/a/b/" -> "a", "b", "": a path with and one without its last slash differ in a segment.
std::vector<std::string_view> segments_of(std::string_view path) {
  NETML_ASSERT(path.starts_with('/'));
  std::vector<std::string_view> segments;
  for (std::size_t begin = 1; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    segments.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return segments;
}

// HEAD is served by GET's handler.
Method handler_method(Method method) {
  return method == Method::head ? Method::get : method;
}

std::size_t index(Method method) {
  return static_cast<std::size_t>(method);
}

}  // namespace

std::size_t Router::child(std::size_t node, std::string_view segment) {
  const bool field = segment.starts_with('{');
  const bool rest = segment.ends_with("...}");
  if (!field) {
    const auto found = nodes_[node].literals.find(segment);
    if (found != nodes_[node].literals.end()) return found->second;
  } else if (const std::size_t known = rest ? nodes_[node].rest : nodes_[node].field) {
    return known;
  }
  const std::size_t fresh = nodes_.size();
  nodes_.emplace_back();
  if (!field)
    nodes_[node].literals.emplace(segment, fresh);
  else
    (rest ? nodes_[node].rest : nodes_[node].field) = fresh;
  return fresh;
}

Router::Node& Router::node_for(std::string_view pattern) {
  std::size_t node = 0;
  for (const std::string_view segment : segments_of(pattern)) node = child(node, segment);
  nodes_[node].pattern = pattern;
  return nodes_[node];
}

void Router::add(Method method, std::string_view pattern, Handler handler, Lane lane) {
  NETML_ASSERT(method != Method::head);
  Entry& entry = node_for(pattern).entries[index(method)];
  NETML_ASSERT(!entry.handler);  // two handlers for one path
  entry = {std::move(handler), lane};
}

void Router::refuse_head(std::string_view pattern) {
  node_for(pattern).head = false;
}

void Router::add_any(std::string_view pattern, const Handler& handler, Lane lane) {
  for (const Method method : kAllMethods) {
    if (method != Method::head) add(method, pattern, handler, lane);
  }
}

std::vector<Router::Route> Router::routes() const {
  std::vector<Route> all;
  for (const Node& node : nodes_)
    for (const Method method : kAllMethods)
      if (node.entries[index(method)].handler) all.push_back({method, node.pattern});
  std::ranges::sort(all, [](const Route& a, const Route& b) {
    return std::tie(a.pattern, a.method) < std::tie(b.pattern, b.method);
  });
  return all;
}

Router Router::wrapped(const Wrap& wrap) const {
  Router others = *this;
  for (Node& node : others.nodes_)
    for (const Method method : kAllMethods)
      if (Handler& handler = node.entries[index(method)].handler)
        handler = wrap({method, node.pattern}, std::move(handler));
  return others;
}

bool Router::is_served(const Node& node) {
  return std::any_of(node.entries.begin(), node.entries.end(),
                     [](const Entry& entry) { return static_cast<bool>(entry.handler); });
}

// Null when the method is not served.
const Router::Entry* Router::entry_for(const Node& node, Method method) {
  if (method == Method::head && !node.head) return nullptr;
  const Entry& entry = node.entries[index(handler_method(method))];
  return entry.handler ? &entry : nullptr;
}

// Depth first with a stack of its own; the literal child is pushed last and so tried first.
const Router::Node* Router::find(std::string_view path,
                                 std::vector<std::string>& parameters) const {
  struct Step {
    std::size_t node;
    std::size_t depth;
    std::vector<std::string> parameters;
  };
  const std::vector<std::string_view> segments = segments_of(path);
  std::vector<Step> open{{0, 0, {}}};
  while (!open.empty()) {
    Step step = std::move(open.back());
    open.pop_back();
    const Node& node = nodes_[step.node];
    if (step.depth == segments.size()) {
      if (!is_served(node)) continue;
      parameters = std::move(step.parameters);
      return &node;
    }
    const std::string_view segment = segments[step.depth];
    if (node.rest != 0) {
      std::vector<std::string> taken = step.parameters;
      taken.emplace_back(path.substr(static_cast<std::size_t>(segment.data() - path.data())));
      open.push_back({node.rest, segments.size(), std::move(taken)});
    }
    if (node.field != 0 && !segment.empty()) {
      std::vector<std::string> taken = step.parameters;
      taken.emplace_back(segment);
      open.push_back({node.field, step.depth + 1, std::move(taken)});
    }
    const auto literal = node.literals.find(canonical_segment(segment));
    if (literal != node.literals.end())
      open.push_back({literal->second, step.depth + 1, std::move(step.parameters)});
  }
  return nullptr;
}

Router::Resolution Router::resolve(Method method, std::string_view path) const {
  std::vector<std::string> parameters;
  const Node* node = find(path, parameters);
  bool slash_added = false;
  if (node == nullptr && !path.ends_with('/')) {
    node = find(std::string(path) + '/', parameters);
    slash_added = true;
  }
  if (node == nullptr) return Unknown{};

  if (const Entry* entry = entry_for(*node, method)) {
    if (slash_added && handler_method(method) == Method::get)
      return Redirect{std::string(path) + '/'};
    return Found{&entry->handler, entry->lane, std::move(parameters)};
  }
  std::string allow;
  for (const Method offered : kAllMethods) {
    if (offered != Method::options && entry_for(*node, offered) != nullptr)
      allow.append(method_name(offered)).append(", ");
  }
  allow += "OPTIONS";
  if (method == Method::options) return Options{std::move(allow)};
  return WrongMethod{std::move(allow)};
}

}  // namespace netml::net
