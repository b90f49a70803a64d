import { together } from './suites';

together('faults');
