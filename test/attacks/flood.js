// Connections that request the same path again and again, in a thread of their own. Each request is
// written, and each response read, as cheaply as possible: what is measured is the server, not a
// client library.
const { Buffer } = require('node:buffer');
const { connect } = require('node:net');
const { performance } = require('node:perf_hooks');
const { setTimeout } = require('node:timers');
const { parentPort, workerData } = require('node:worker_threads');

const { port, path, connections, seconds } = workerData;
const REQUEST = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`);
const HEAD_END = Buffer.from('\r\n\r\n');

/** Milliseconds that each response took, by status; and connections that failed. */
const seen = { milliseconds: {}, errors: 0 };
const endAt = performance.now() + seconds * 1000;
let open = connections;

function left() {
  open -= 1;
  if (open === 0) parentPort.postMessage(seen);
}

function attack() {
  const socket = connect(port, '127.0.0.1');
  let sentAt = 0;
  let status;
  let pending = 0;
  const send = () => {
    if (performance.now() >= endAt) {
      socket.destroy();
      return;
    }
    sentAt = performance.now();
    socket.write(REQUEST);
  };
  const finish = () => {
    (seen.milliseconds[status] ??= []).push(performance.now() - sentAt);
    status = undefined;
    send();
  };
  socket.on('connect', send);
  socket.on('data', (chunk) => {
    if (status !== undefined) {
      pending -= chunk.length;
    } else {
      // The head of a response is small enough to arrive in one piece.
      const headEnd = chunk.indexOf(HEAD_END);
      const head = chunk.latin1Slice(0, headEnd);
      status = head.slice(9, 12);
      pending = Number(/content-length: (\d+)/i.exec(head)[1]) - (chunk.length - headEnd - 4);
    }
    if (pending === 0) finish();
  });
  socket.on('error', () => {
    seen.errors += 1;
  });
  socket.on('close', left);
}

for (let count = 0; count < connections; count += 1) attack();
// Connections that wait for a response at the end have this long to receive it.
setTimeout(() => process.exit(1), (seconds + 60) * 1000).unref();
