import { closeBrowser, openBrowser } from '../browser/browser';
import { defineSuite } from './suites';

// The specs share the browser, which ends after the last one.
beforeAll(openBrowser);
afterAll(closeBrowser);

defineSuite('browser');
