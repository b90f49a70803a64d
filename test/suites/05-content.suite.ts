import { defineSuite } from './suites';

defineSuite('content');
