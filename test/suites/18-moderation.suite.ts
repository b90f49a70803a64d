import { defineSuite } from './suites';

defineSuite('moderation');
