import { defineSuite } from './suites';

defineSuite('transfer-and-storage');
