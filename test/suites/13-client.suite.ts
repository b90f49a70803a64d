import { defineSuite } from './suites';

defineSuite('client');
