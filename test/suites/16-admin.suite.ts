import { defineSuite } from './suites';

defineSuite('admin');
