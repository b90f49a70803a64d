import { defineSuite } from './suites';

defineSuite('browser');
