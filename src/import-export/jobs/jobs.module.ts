import { Module } from '@nestjs/common';
import { TransferModule } from '../import-export.module';
import { JobMetrics } from './job-metrics';
import { JobProcess } from './job-process';
import { JobRunner } from './job-runner';

/** Runs jobs in the server; the command line runs its own. */
@Module({ imports: [TransferModule], providers: [JobRunner, JobProcess, JobMetrics] })
export class JobsModule {}
