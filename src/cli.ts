import './process/compile-cache';
import 'reflect-metadata';
import { handleOutputErrors, runCommand } from './cli/support/run';

handleOutputErrors();
void runCommand();
