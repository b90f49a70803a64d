/* eslint-disable @typescript-eslint/no-require-imports --
   `import` would load the packages at start, and `import()` is asynchronous */
import type * as IoRedis from 'ioredis';
import type * as Marked from 'marked';
import type * as PromClient from 'prom-client';
import type Temml from 'temml';

// Packages that are loaded on first use. At start they would take 8 to 70 ms and 4 to 22 MB each,
// also in processes that never use them.

/** The client of Redis (`REDIS_URL`). */
export const loadIoRedis = (): typeof IoRedis => require('ioredis') as typeof IoRedis;

/** The renderer of Markdown, for the documentation. */
export const loadMarked = (): typeof Marked => require('marked') as typeof Marked;

/** The registry of metrics (`METRICS_PORT`). */
export const loadPromClient = (): typeof PromClient => require('prom-client') as typeof PromClient;

/** The renderer of formulas, for reviews and notes that contain some. */
export const loadTemml = (): typeof Temml => require('temml') as typeof Temml;
