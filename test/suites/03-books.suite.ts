import { defineSuite } from './suites';

defineSuite('books');
