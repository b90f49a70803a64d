import { together } from './suites';

together('books');
