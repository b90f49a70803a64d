import { together } from './suites';

together('redis');
