import { defineSuite } from './suites';

defineSuite('attacks');
