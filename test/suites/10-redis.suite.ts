import { defineSuite } from './suites';

defineSuite('redis');
