import { defineSuite } from './suites';

defineSuite('faults');
