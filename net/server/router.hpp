// Finds the handler of a request (docs/requirements/http-api.md, sections 1 and 2).
//
// Patterns are given in their canonical spelling, "/netml_import/records/{id}/". A {field} takes
// one segment; a last "{rest...}" takes what remains. A path segment grenml_export or
// grenml_import is looked up as its netml name. Where two patterns fit, the one with the literal
// segment wins over the one with a field, so the order of registration does not matter.
//
// Owner: whoever wires the server; it outlives the server and does not change once it serves.
// Thread: any (immutable while serving).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "net/http/http.hpp"

namespace netml::net {

// How urgently a handler must run; a busy lane never keeps a more urgent one from its thread.
enum class Lane : std::uint8_t { urgent, normal };

class Router {
 public:
  // HEAD goes where GET goes; OPTIONS is answered by the server unless it is registered.
  void add(Method method, std::string_view pattern, Handler handler, Lane lane = Lane::normal);
  // 405 to HEAD, where GET does more than to give something. The pattern is registered otherwise.
  void refuse_head(std::string_view pattern);
  // For every method: sections that judge methods themselves.
  void add_any(std::string_view pattern, const Handler& handler, Lane lane = Lane::normal);

  struct Found {
    const Handler* handler;
    Lane lane;
    std::vector<std::string> parameters;
  };
  struct Redirect {  // 301: the canonical path ends in a slash
    std::string path;
  };
  struct Options {  // 200
    std::string allow;
  };
  struct WrongMethod {  // 405
    std::string allow;
  };
  struct Unknown {};  // 404
  using Resolution = std::variant<Found, Redirect, Options, WrongMethod, Unknown>;

  struct Route {
    Method method;
    std::string pattern;
  };
  // All that were added, by pattern and then by method.
  std::vector<Route> routes() const;
  // The same routes, each with what `wrap` makes of its handler.
  using Wrap = std::function<Handler(const Route& route, Handler handler)>;
  Router wrapped(const Wrap& wrap) const;

  // `path` is decoded and normalised (parse_target).
  Resolution resolve(Method method, std::string_view path) const;

 private:
  struct Entry {
    Handler handler;
    Lane lane = Lane::normal;
  };
  static constexpr std::size_t kMethodCount = 7;
  using Entries = std::array<Entry, kMethodCount>;
  struct Node {
    std::map<std::string, std::size_t, std::less<>> literals;  // segment -> node
    std::size_t field = 0;                                     // 0 = none: the root is no child
    std::size_t rest = 0;
    std::string pattern;  // as it was given; empty where no route ends
    Entries entries;
    bool head = true;  // whether HEAD goes where GET goes
  };

  Node& node_for(std::string_view pattern);
  std::size_t child(std::size_t node, std::string_view segment);
  static bool is_served(const Node& node);
  static const Entry* entry_for(const Node& node, Method method);
  const Node* find(std::string_view path, std::vector<std::string>& parameters) const;

  std::vector<Node> nodes_ = std::vector<Node>(1);
};

}  // namespace netml::net
