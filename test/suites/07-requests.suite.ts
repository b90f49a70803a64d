import { defineSuite } from './suites';

defineSuite('requests');
