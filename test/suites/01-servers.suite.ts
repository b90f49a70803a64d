import { defineSuite } from './suites';

defineSuite('servers');
