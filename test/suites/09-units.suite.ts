import { defineSuite } from './suites';

defineSuite('units');
