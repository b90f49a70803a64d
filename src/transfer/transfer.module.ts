import { Module } from '@nestjs/common';
import { ExportService } from './export.service';
import { ImportService } from './import.service';
import { JobWork } from './jobs/job-work';
import { JobsRepository } from './jobs/jobs.repository';
import { JobsService } from './jobs/jobs.service';
import { Kinds } from './kinds';
import { OpenLibraryImport } from './open-library/open-library.service';
import { WholeExport } from './whole/whole-export';
import { WholeImport } from './whole/whole-import';
import { WholeKinds } from './whole/whole-kinds';

/** Import and export of what the service holds. */
@Module({
  providers: [
    Kinds,
    ImportService,
    ExportService,
    WholeKinds,
    WholeImport,
    WholeExport,
    JobsRepository,
    JobWork,
    JobsService,
    OpenLibraryImport,
  ],
  exports: [
    Kinds,
    ImportService,
    ExportService,
    WholeImport,
    WholeExport,
    JobsRepository,
    JobsService,
    OpenLibraryImport,
  ],
})
export class TransferModule {}
