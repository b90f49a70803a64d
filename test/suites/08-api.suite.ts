import { defineSuite } from './suites';

defineSuite('api');
