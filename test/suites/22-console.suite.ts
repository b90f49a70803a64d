import { defineSuite } from './suites';

defineSuite('console');
