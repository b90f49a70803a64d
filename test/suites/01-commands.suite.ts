import { together } from './suites';

together('commands');
