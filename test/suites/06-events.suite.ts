import { defineSuite } from './suites';

defineSuite('events');
