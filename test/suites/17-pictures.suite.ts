import { together } from './suites';

together('pictures');
