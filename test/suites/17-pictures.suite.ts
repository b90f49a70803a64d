import { defineSuite } from './suites';

defineSuite('pictures');
