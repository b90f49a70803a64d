import { defineSuite } from './suites';

defineSuite('commands');
