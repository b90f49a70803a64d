import { defineSuite } from './suites';

defineSuite('service');
