import { together } from './suites';

together('limits');
