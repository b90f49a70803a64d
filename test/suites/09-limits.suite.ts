import { defineSuite } from './suites';

defineSuite('limits');
