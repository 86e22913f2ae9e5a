// Signing out by a link (docs/requirements/http-api.md, section 5; decision 38): GET asks, since it
// never changes anything (A12), and a form does it. The page needs no script.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "admin/api/site/calls/calls.hpp"
#include "admin/api/site/web_api.hpp"
#include "engine/base/texts.hpp"

namespace netml::admin {

using net::Answer;
using net::Request;
using net::Response;

namespace {

constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'";

struct Texts {
  std::string_view language;
  std::string_view title;
  std::string_view remains;  // that the organisation's own sign-in goes on
  std::string_view stay;
};
constexpr std::array kTexts{
    Texts{"en", "Sign out",
          "Your browser may stay signed in with your organisation. Close it to end that, too.",
          "Stay signed in"},
    Texts{"fr", "Se déconnecter",
          "Votre navigateur peut rester connecté à votre organisation. Fermez-le pour y mettre "
          "fin également.",
          "Rester connecté"},
    Texts{"es", "Cerrar sesión",
          "Es posible que el navegador siga conectado con su organización. Ciérrelo para terminar "
          "también esa sesión.",
          "Seguir conectado"},
    Texts{"pt", "Terminar sessão",
          "O navegador pode continuar ligado à sua organização. Feche-o para terminar também essa "
          "sessão.",
          "Continuar ligado"}};

const Texts* texts_in(std::string_view language) {
  const auto found = std::ranges::find(kTexts, language.substr(0, 2), &Texts::language);
  return found == kTexts.end() ? nullptr : &*found;
}

// The first that there is of the browser's languages; English otherwise.
const Texts& texts_for(const Request& request) {
  std::string_view list = request.headers.get("Accept-Language");
  while (!list.empty()) {
    if (const Texts* texts = texts_in(trimmed(take_until(list, ',')))) return *texts;
  }
  return kTexts.front();
}

// The token is letters, digits, '-' and '_'.
Response question(const Texts& texts, const SignedIn& who) {
  Response response;
  response.headers.set("Content-Type", "text/html; charset=utf-8");
  response.headers.set("Content-Security-Policy", kPolicy);
  response.headers.set("Vary", "Accept-Language");
  response.body = fmt::format(
      R"(<!doctype html>
<html lang="{0}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{1}</title>
<link rel="stylesheet" href="/swagger-ui/api.css">
<main>
<h1>{1}</h1>
<p>{2}</p>
<form method="post" action="/fim/logout/">
<input type="hidden" name="csrf" value="{4}">
<button>{1}</button> <a href="/admin/">{3}</a>
</form>
</main>
</html>
)",
      texts.language, texts.title, texts.remains, texts.stay, who.csrf);
  return response;
}

Answer ask(web::Site& site, const Request& request) {
  const auto who = web::who_by_cookie(site, request);
  return who ? question(texts_for(request), *who) : web::redirect("/");
}

Response sign_out(web::Site& site, const Request& request, const std::string& body) {
  const auto who = web::who_by_cookie(site, request);
  if (!who) return web::redirect("/");
  const std::string csrf = net::query_parameter(body, "csrf").value_or("");
  if (!web::is_meant(*who, csrf) || !web::is_same_origin(request, true))
    return web::refuse(403, "cross-site", "the request does not come from a page of this node");
  const Caller caller{engine::ActorKind::account, who->account->name, request.client_address,
                      request.id};
  if (const Status ended = site.sessions.end(caller, who->session); !ended)
    return web::refuse(ended.error());
  Response response = web::redirect("/");
  response.headers.set("Set-Cookie", web::session_cookie(request, {}));
  response.client = who->account->name;
  return response;
}

}  // namespace

void register_sign_out_page(net::Router& router, web::Site& site) {
  constexpr std::uint64_t kFormBytesMax = 4096;
  for (const char* path : {"/fim/logout/", "/admin/logout/"})
    router.add(net::Method::get, path,
               [&site](const Request& request) { return ask(site, request); });
  router.add(net::Method::post, "/fim/logout/", [&site](const Request& request) -> Answer {
    return net::collect_body(kFormBytesMax, [&site, request](const std::string& body) {
      return sign_out(site, request, body);
    });
  });
}

}  // namespace netml::admin
