// Shows the description of the public API. Texts go into the page as texts, never as markup.
'use strict';

function element(name, text, ...children) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  made.append(...children);
  return made;
}

// What "#/components/schemas/Error" stands for.
function resolve(api, value) {
  if (!value || !value.$ref) return value;
  return value.$ref.slice(2).split('/').reduce((part, key) => part[key], api);
}

function schemas(api, content) {
  return Object.entries(content || {}).map(([type, {schema}]) =>
    element('div', '', element('code', type),
            element('pre', JSON.stringify(resolve(api, schema), null, 2))));
}

function responses(api, operation) {
  const rows = Object.entries(operation.responses).map(([status, response]) => {
    const answer = resolve(api, response);
    return element('tr', '', element('th', status),
                   element('td', answer.description, ...schemas(api, answer.content)));
  });
  return element('table', '', ...rows);
}

function operation(api, path, method, described) {
  const name = element('span', method.toUpperCase());
  name.className = 'method';
  const summary = element('summary', '', name, element('code', path), described.summary || '');
  const tokens = (described.security || []).flatMap(Object.keys);
  const parts = [summary];
  if (described.description) parts.push(element('p', described.description));
  parts.push(element('p', tokens.length ? 'Needs: ' + tokens.join(' or ') : 'Needs no token.'));
  if (described.requestBody)
    parts.push(element('h3', 'Request'), ...schemas(api, described.requestBody.content));
  parts.push(element('h3', 'Answers'), responses(api, described));
  return element('details', '', ...parts);
}

fetch('/api-schema/?format=json').then((answer) => answer.json()).then((api) => {
  document.getElementById('title').textContent = api.info.title + ' ' + api.info.version;
  document.getElementById('about').textContent = api.info.description;
  for (const [path, methods] of Object.entries(api.paths))
    for (const [method, described] of Object.entries(methods))
      document.getElementById('operations').append(operation(api, path, method, described));
}).catch((problem) => {
  document.getElementById('about').textContent = 'The description cannot be shown: ' + problem;
});
