import { defineSuite } from './suites';

defineSuite('docs');
