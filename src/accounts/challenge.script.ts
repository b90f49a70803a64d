/**
 * Script of the sign-in page. It solves the challenge: it finds the number for which the SHA-256 of
 * salt and number equals the challenge. The page and its web worker load the same file, and the
 * worker keeps the page responsive. The script has its own SHA-256, because the browser's is
 * asynchronous, ten times slower for short texts, and unavailable over plain HTTP.
 */
export const CHALLENGE_SCRIPT = `'use strict';
(function () {
  var K = new Uint32Array(64);
  var START = new Uint32Array(8);
  // The first 32 bits of the fractional parts of the primes' cube and square roots (FIPS 180-4).
  (function () {
    var found = 0;
    var fraction = function (x) { return ((x - Math.floor(x)) * 4294967296) >>> 0; };
    for (var n = 2; found < 64; n += 1) {
      var prime = true;
      for (var d = 2; d * d <= n; d += 1) if (n % d === 0) { prime = false; break; }
      if (!prime) continue;
      if (found < 8) START[found] = fraction(Math.sqrt(n));
      K[found] = fraction(Math.cbrt(n));
      found += 1;
    }
  })();

  var W = new Int32Array(64);
  /** One block of 64 bytes, from a position on, into a state. */
  function compress(state, bytes, at) {
    var i;
    for (i = 0; i < 16; i += 1) {
      var p = at + i * 4;
      W[i] = (bytes[p] << 24) | (bytes[p + 1] << 16) | (bytes[p + 2] << 8) | bytes[p + 3];
    }
    for (i = 16; i < 64; i += 1) {
      var x = W[i - 15], y = W[i - 2];
      var s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      var s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      W[i] = (W[i - 16] + s0 + W[i - 7] + s1) | 0;
    }
    var a = state[0], b = state[1], c = state[2], d = state[3];
    var e = state[4], f = state[5], g = state[6], h = state[7];
    for (i = 0; i < 64; i += 1) {
      var S1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      var t1 = (h + S1 + ((e & f) ^ (~e & g)) + K[i] + W[i]) | 0;
      var S0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      var t2 = (S0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g; g = f; f = e; e = (d + t1) | 0; d = c; c = b; b = a; a = (t1 + t2) | 0;
    }
    state[0] += a; state[1] += b; state[2] += c; state[3] += d;
    state[4] += e; state[5] += f; state[6] += g; state[7] += h;
  }

  /** Looks for the number in a range; -1 when it is not there. Salt and challenge are ASCII. */
  function search(salt, challenge, from, to) {
    var wanted = new Uint32Array(8);
    for (var i = 0; i < 8; i += 1) wanted[i] = parseInt(challenge.slice(i * 8, i * 8 + 8), 16);
    // Whole blocks of the salt are the same for every number.
    var whole = salt.length - (salt.length % 64);
    var prefix = new Uint8Array(salt.length);
    for (i = 0; i < salt.length; i += 1) prefix[i] = salt.charCodeAt(i);
    var middle = new Uint32Array(START);
    for (i = 0; i < whole; i += 64) compress(middle, prefix, i);
    var rest = salt.length - whole;
    var tail = new Uint8Array(128);
    var state = new Uint32Array(8);
    for (var number = from; number < to; number += 1) {
      var digits = String(number);
      tail.fill(0);
      for (i = 0; i < rest; i += 1) tail[i] = prefix[whole + i];
      for (i = 0; i < digits.length; i += 1) tail[rest + i] = digits.charCodeAt(i);
      var length = rest + digits.length;
      tail[length] = 128;
      var end = length + 9 <= 64 ? 64 : 128;
      var bits = (whole + length) * 8;
      tail[end - 1] = bits & 255; tail[end - 2] = (bits >>> 8) & 255;
      tail[end - 3] = (bits >>> 16) & 255;
      state.set(middle);
      compress(state, tail, 0);
      if (end === 128) compress(state, tail, 64);
      for (i = 0; i < 8 && state[i] === wanted[i]; i += 1);
      if (i === 8) return number;
    }
    return -1;
  }

  var STEP = 20000;
  /** Searches step by step, so that progress can be shown. Tells -1 when there is no solution. */
  function solve(task, progress, done) {
    var from = 0;
    (function step() {
      var to = Math.min(from + STEP, task.maxnumber + 1);
      var found = search(task.salt, task.challenge, from, to);
      from = to;
      if (found >= 0 || from > task.maxnumber) { done(found); return; }
      progress(from);
      setTimeout(step, 0);
    })();
  }

  if (typeof document === 'undefined') {
    self.onmessage = function (event) {
      solve(event.data,
        function (tried) { self.postMessage({ tried: tried }); },
        function (found) { self.postMessage({ found: found }); });
    };
    return;
  }

  var box = document.getElementById('challenge');
  var form = document.getElementById('sign-in');
  var bar = document.getElementById('challenge-progress');
  var words = document.getElementById('challenge-state');
  var button = form.querySelector('button');
  var task = {
    salt: box.dataset.salt,
    challenge: box.dataset.challenge,
    maxnumber: Number(box.dataset.maxnumber),
  };
  var state = 'working';
  var submitted = false;
  box.hidden = false;
  bar.max = task.maxnumber;

  function show(text) { words.textContent = text; }
  function progress(tried) { bar.value = tried; }
  function done(found) {
    state = found < 0 ? 'failed' : 'ready';
    bar.hidden = true;
    show(found < 0 ? box.dataset.failed : box.dataset.ready);
    if (found < 0) return;
    form.elements.captcha_solution.value = String(found);
    if (submitted) form.submit();
  }
  form.addEventListener('submit', function (event) {
    if (state !== 'working') return;
    // It goes off as soon as the task is solved.
    event.preventDefault();
    submitted = true;
    button.disabled = true;
  });

  show(box.dataset.working);
  var here = function () { solve(task, progress, done); };
  try {
    var worker = new Worker(box.dataset.script);
    worker.onmessage = function (event) {
      if (event.data.found === undefined) { progress(event.data.tried); return; }
      worker.terminate();
      done(event.data.found);
    };
    // Where workers cannot run, the page solves the task itself.
    worker.onerror = function () { worker.terminate(); here(); };
    worker.postMessage(task);
  } catch (error) {
    here();
  }
})();
`;
