import { together } from './suites';

together('admin');
