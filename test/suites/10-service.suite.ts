import { together } from './suites';

together('service');
