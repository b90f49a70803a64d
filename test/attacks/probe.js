// Requests /healthz again and again from a thread of its own, each time over a new connection: a
// test that is busy attacking must not count as a server that is slow to answer.
const { request } = require('node:http');
const { performance } = require('node:perf_hooks');
const { setTimeout } = require('node:timers');
const { parentPort, workerData } = require('node:worker_threads');

/** Milliseconds between two probes, and after which one that is not answered counts as failed. */
const INTERVAL_MS = 50;
const TIMEOUT_MS = 60_000;

const seen = { seconds: [], failures: [] };
let stopping = false;

function finished(startedAt, failure) {
  seen.seconds.push((performance.now() - startedAt) / 1000);
  if (failure !== undefined) seen.failures.push(failure);
  if (stopping) parentPort.postMessage(seen);
  else setTimeout(probe, INTERVAL_MS);
}

function probe() {
  if (stopping) {
    parentPort.postMessage(seen);
    return;
  }
  const startedAt = performance.now();
  let done = false;
  const finish = (failure) => {
    if (done) return;
    done = true;
    finished(startedAt, failure);
  };
  const options = { agent: false, timeout: TIMEOUT_MS };
  request(`${workerData.origin}/healthz`, options, (response) => {
    response.resume().on('end', () => {
      finish(response.statusCode === 200 ? undefined : `status ${response.statusCode}`);
    });
    response.on('error', (error) => finish(error.message));
  })
    .on('timeout', function () {
      this.destroy(new Error(`no response within ${TIMEOUT_MS / 1000} s`));
    })
    .on('error', (error) => finish(error.message))
    .end();
}

parentPort.once('message', () => {
  stopping = true;
});
probe();
