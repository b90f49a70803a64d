import { together } from './suites';

together('browser');
