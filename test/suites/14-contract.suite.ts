import { together } from './suites';

together('contract');
