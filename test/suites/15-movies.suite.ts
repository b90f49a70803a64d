import { defineSuite } from './suites';

defineSuite('movies');
