import { defineSuite } from './suites';

defineSuite('contract');
