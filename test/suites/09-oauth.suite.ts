import { defineSuite } from './suites';

defineSuite('oauth');
