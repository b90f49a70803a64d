import { defineSuite } from './suites';

defineSuite('pages');
