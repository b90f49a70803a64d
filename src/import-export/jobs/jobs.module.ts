import { Module } from '@nestjs/common';
import { TransferModule } from '../import-export.module';
import { JobMetrics } from './job-metrics';
import { JobProcess } from './job-process';
import { JobRunner } from './job-runner';

/** What makes a server do jobs; the command line does its own. */
@Module({ imports: [TransferModule], providers: [JobRunner, JobProcess, JobMetrics] })
export class JobsModule {}
