import { defineSuite } from './suites';

defineSuite('site');
