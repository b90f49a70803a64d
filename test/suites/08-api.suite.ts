import { together } from './suites';

together('api');
