import './config/compile-cache';
import 'reflect-metadata';
import { runCommand } from './cli/support/run';

void runCommand();
