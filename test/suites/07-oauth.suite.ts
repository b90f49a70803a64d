import { together } from './suites';

together('oauth');
