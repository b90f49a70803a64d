import { chromium, type Browser } from 'playwright-core';
import { CHROMIUM } from './chromium';
import { QUIET } from './quiet';

let users = 0;
let browser: Promise<Browser> | undefined;

/**
 * The browser of this process, which the first call starts. Its start and end take a second of CPU
 * time, so the specs of a suite share it. Each call needs a call of {@link closeBrowser}.
 */
export function openBrowser(): Promise<Browser> {
  users += 1;
  browser ??= chromium.launch({ executablePath: CHROMIUM, args: QUIET });
  return browser;
}

/** Closes all pages, and the browser when nobody uses it any more. */
export async function closeBrowser(): Promise<void> {
  users -= 1;
  const opened = await browser;
  for (const context of opened?.contexts() ?? []) await context.close();
  if (users > 0) return;
  browser = undefined;
  await opened?.close();
}
