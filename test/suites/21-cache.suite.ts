import { defineSuite } from './suites';

defineSuite('cache');
