import { defineSuite } from './suites';

defineSuite('notes');
