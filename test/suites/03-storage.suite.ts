import { defineSuite } from './suites';

defineSuite('storage');
