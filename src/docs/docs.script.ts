/**
 * Script of the documentation. It adds buttons that copy code, remembers the language of the
 * examples, and sends the requests of the forms. Pages work without it, apart from these forms.
 */
export const DOCS_SCRIPT = `'use strict';
(function () {
  var byId = function (id) { return document.getElementById(id); };
  var all = function (selector) { return Array.prototype.slice.call(document.querySelectorAll(selector)); };
  var store = { get: function (name) { try { return sessionStorage.getItem(name) || ''; } catch (e) { return ''; } },
    set: function (name, value) { try { sessionStorage.setItem(name, value); } catch (e) { /* private mode */ } } };

  // Buttons that copy code.
  var zh = document.documentElement.lang;
  var COPY = zh === 'en' ? ['Copy', 'Copied'] : zh === 'zh-Hant' ? ['複製', '已複製'] : ['复制', '已复制'];
  if (navigator.clipboard) all('figure.code').forEach(function (figure) {
    var button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = COPY[0];
    button.addEventListener('click', function () {
      navigator.clipboard.writeText(figure.querySelector('code').textContent).then(function () {
        button.textContent = COPY[1];
        setTimeout(function () { button.textContent = COPY[0]; }, 2000);
      });
    });
    figure.appendChild(button);
  });

  // The language of the examples.
  all('input[name=code]').forEach(function (input) {
    if (store.get('docs-language') === input.value) input.checked = true;
    input.addEventListener('change', function () { store.set('docs-language', input.value); });
  });

  // A link to an operation or an object.
  var box = document.querySelector('.credentials');
  if (!box) return;

  // Credentials, which stay in this tab.
  var key = byId('try-key');
  var token = byId('try-token');
  var secret = byId('try-secret');
  [key, token].forEach(function (input) {
    input.value = store.get(input.id);
    input.addEventListener('input', function () { store.set(input.id, input.value); });
  });
  var set = function (input, value) { input.value = value; store.set(input.id, value); };
  var status = byId('try-status');
  var show = function (id) { byId(id).hidden = false; };
  var csrf = '';
  show('try-apps-line');
  byId('try-apps').addEventListener('click', function () {
    status.textContent = '';
    fetch(box.dataset.source, { headers: { Accept: 'application/json' } }).then(function (response) {
      return response.json();
    }).then(function (mine) {
      if (!mine.signed_in) {
        byId('try-sign-in').firstElementChild.href = box.dataset.signIn + '?return_to=' +
          encodeURIComponent(location.pathname + '#credentials');
        return show('try-sign-in');
      }
      if (mine.apps.length === 0) return show('try-no-apps');
      csrf = mine.form_token;
      var choice = byId('try-app');
      choice.textContent = '';
      mine.apps.forEach(function (app) { choice.add(new Option(app.name, app.client_id)); });
      set(key, choice.value);
      choice.onchange = function () { set(key, choice.value); };
      show('try-app-choice');
      show('try-token-line');
    }).catch(function () { status.textContent = status.dataset.failed; });
  });
  byId('try-get-token').addEventListener('click', function () {
    var form = new URLSearchParams({ form_token: csrf, client_id: byId('try-app').value });
    fetch(box.dataset.source, { method: 'POST', body: form, headers: { Accept: 'application/json' } })
      .then(function (response) { return response.json(); })
      .then(function (result) {
        if (!result.access_token) throw new Error(result.msg);
        set(token, result.access_token);
        status.textContent = status.dataset.got;
      }).catch(function () { status.textContent = status.dataset.failed; });
  });

  // Requests of the forms.
  var pretty = function (text) {
    try { return JSON.stringify(JSON.parse(text), null, 2); } catch (e) { return text; }
  };
  all('form.try').forEach(function (form) {
    form.addEventListener('submit', function (event) {
      event.preventDefault();
      var data = form.dataset;
      var path = data.path;
      var query = new URLSearchParams();
      var body = new FormData();
      var members = 0;
      var files = false;
      Array.prototype.forEach.call(form.querySelectorAll('input'), function (input) {
        var isFile = input.type === 'file';
        if (isFile ? input.files.length === 0 : input.value === '') return;
        if (input.dataset.in === 'path') path = path.replace('{' + input.name + '}', encodeURIComponent(input.value));
        else if (input.dataset.in === 'query') query.append(input.name, input.value);
        else { body.append(input.name, isFile ? input.files[0] : input.value); members += 1; files = files || isFile; }
      });
      var headers = {};
      if (token.value && data.access !== 'client') headers.Authorization = 'Bearer ' + token.value;
      else if (key.value && data.access !== 'client') query.append('apikey', key.value);
      if (data.access === 'client') {
        if (key.value) body.append('client_id', key.value);
        if (secret && secret.value) body.append('client_secret', secret.value);
      }
      var suffix = query.toString() === '' ? '' : '?' + query;
      var sends = data.method !== 'GET' && members > 0;
      var output = form.querySelector('output');
      output.textContent = output.dataset.sending;
      var started = performance.now();
      fetch(path + suffix, { method: data.method, headers: headers, credentials: 'omit',
        body: sends ? (files ? body : new URLSearchParams(body)) : undefined,
      }).then(function (response) {
        return response.text().then(function (text) {
          var lines = [data.method + ' ' + path + suffix, response.status + ' · ' +
            Math.round(performance.now() - started) + ' ms'];
          ['x-error-detail', 'x-ratelimit-remaining', 'retry-after', 'etag', 'deprecation', 'sunset']
            .forEach(function (name) {
              if (response.headers.has(name)) lines.push(name + ': ' + response.headers.get(name));
            });
          var pre = document.createElement('pre');
          pre.tabIndex = 0;
          var code = document.createElement('code');
          code.textContent = lines.join('\\n') + '\\n\\n' + pretty(text);
          pre.appendChild(code);
          output.textContent = '';
          output.appendChild(pre);
        });
      }).catch(function () { output.textContent = output.dataset.failed; });
    });
  });
  if (location.hash === '#credentials') byId('credentials').open = true;
})();
`;
