import { Module } from '@nestjs/common';
import { ExportService } from './engine/export.service';
import { ImportService } from './engine/import.service';
import { JobWork } from './jobs/job-work';
import { JobsRepository } from './jobs/jobs.repository';
import { JobsService } from './jobs/jobs.service';
import { Kinds } from './engine/handlers';
import { OpenLibraryImport } from './open-library/open-library.service';
import { WholeExport } from './full/full-export';
import { FullImport } from './full/full-import';
import { WholeKinds } from './full/full-handlers';

/** Import and export of what the service holds. */
@Module({
  providers: [
    Kinds,
    ImportService,
    ExportService,
    WholeKinds,
    FullImport,
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
    FullImport,
    WholeExport,
    JobsRepository,
    JobsService,
    OpenLibraryImport,
  ],
})
export class TransferModule {}
