import './config/compile-cache';
import 'reflect-metadata';
import { handleBrokenPipe } from './cli/support/closed-output';
import { runCommand } from './cli/support/run';

handleBrokenPipe();
void runCommand();
