// The pages and their files (docs/site.md; rule A14). They hold no data: what they show they ask
// the API for.
#include <fmt/format.h>

#include <algorithm>

#include "admin/answers/gzip.hpp"
#include "admin/api/site/calls/calls.hpp"
#include "admin/api/site/calls/identity.hpp"
#include "admin/api/site/calls/map_access.hpp"
#include "admin/api/site/web_api.hpp"
#include "admin/api/site/web_files.hpp"
#include "net/http/uri.hpp"

namespace netml::admin::web {

const WebFile* find_web_file(std::string_view path) {
  const auto files = web_files();
  const auto found = std::ranges::lower_bound(files, path, {}, &WebFile::path);
  return found != files.end() && found->path == path ? &*found : nullptr;
}

std::string_view country_outlines() {
  const WebFile* const file = find_web_file("staticfiles/countries.json");
  return file == nullptr ? std::string_view() : file->plain;
}

}  // namespace netml::admin::web

namespace netml::admin {

using net::Answer;
using net::Request;
using net::Response;
using web::WebFile;

namespace {

constexpr std::string_view kHashedFiles = "staticfiles/assets/";  // the name holds a hash
constexpr std::string_view kSignIn = "/admin/login/";

Response file_answer(const Request& request, const WebFile& file) {
  Response response = web::versioned(request, file.etag, [&] {
    Response whole;
    whole.headers.set("Content-Type", file.type);
    const bool compressed = !file.compressed.empty() && web::accepts_gzip(request);
    if (compressed) whole.headers.set("Content-Encoding", "gzip");
    whole.body = std::string(compressed ? file.compressed : file.plain);
    return whole;
  });
  response.headers.set("Vary", "Accept-Encoding");
  return response;
}

// Everything comes from this node, but for tiles where an administrator named a server.
std::string page_policy(const std::string& tile_origin) {
  return fmt::format(
      "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:{}{}; "
      "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      tile_origin.empty() ? "" : " ", tile_origin);
}

Response page(const web::Site& site) {
  const WebFile* index = web::find_web_file("index.html");
  if (index == nullptr)
    return net::refusal(404, "this program was built without its pages (docs/site.md)");
  Response response;
  response.headers.set("Content-Type", index->type);
  response.headers.set("Content-Security-Policy",
                       page_policy(tile_origin(site.services.node.version().state->catalog)));
  response.body = std::string(index->plain);
  return response;
}

Response map_page(web::Site& site, const Request&) {
  const engine::StatePtr state = site.services.node.version().state;
  return web::is_map_enabled(state->catalog) ? page(site) : web::redirect("/admin/");
}

// The path comes from the request's own line, decoded and judged, so it stays on this node (A16).
Response admin_page(web::Site& site, const Request& request) {
  if (web::who_by_cookie(site, request)) return page(site);
  std::string wanted = net::percent_encode_path(request.path);
  if (!request.query.empty()) wanted += "?" + request.query;
  return web::redirect(fmt::format("{}?next={}", kSignIn, net::percent_encode_value(wanted)));
}

Answer static_file(const Request& request) {
  const std::string path = "staticfiles/" + request.parameters.front();
  const WebFile* file = web::find_web_file(path);
  if (file == nullptr) return net::refusal(404, "there is no such file");
  Response response = file_answer(request, *file);
  response.headers.set("Cache-Control", path.starts_with(kHashedFiles)
                                            ? "public, max-age=31536000, immutable"
                                            : "no-cache");
  return response;
}

}  // namespace

void register_web_pages(net::Router& router, web::Site& open_site) {
  using net::Method;
  router.add(Method::get, "/", web::of_site(open_site, map_page));
  router.add(Method::get, "/admin/", web::of_site(open_site, admin_page));
  router.add(Method::get, "/admin/{rest...}", web::of_site(open_site, admin_page));
  router.add(Method::get, kSignIn,
             web::of_site(open_site, [](web::Site& site, const Request& request) {
               auto response = web::sign_in_by_identity(site, request);
               return response ? *std::move(response) : page(site);
             }));
}

void register_web_files(net::Router& router) {
  router.add(net::Method::get, "/staticfiles/{rest...}", static_file);
}

}  // namespace netml::admin
