import './process/compile-cache';
import 'reflect-metadata';
import { handleOutputErrors, runProcess } from './cli/support/run';

handleOutputErrors();
void runProcess();
