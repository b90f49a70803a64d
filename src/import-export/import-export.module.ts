import { Module } from '@nestjs/common';
import { ExportService } from './engine/export.service';
import { ImportService } from './engine/import.service';
import { JobWork } from './jobs/job-work';
import { JobDetailsRepository } from './jobs/job-details.repository';
import { JobsRepository } from './jobs/jobs.repository';
import { JobsService } from './jobs/jobs.service';
import { RecordHandlers } from './engine/handlers';
import { OpenLibraryImport } from './open-library/open-library.service';
import { FullExport } from './full/full-export';
import { FullImport } from './full/full-import';
import { FullHandlers } from './full/full-handlers';

/** Import and export of what the service holds. */
@Module({
  providers: [
    RecordHandlers,
    ImportService,
    ExportService,
    FullHandlers,
    FullImport,
    FullExport,
    JobsRepository,
    JobDetailsRepository,
    JobWork,
    JobsService,
    OpenLibraryImport,
  ],
  exports: [
    RecordHandlers,
    ImportService,
    ExportService,
    FullImport,
    FullExport,
    JobsRepository,
    JobDetailsRepository,
    JobsService,
    OpenLibraryImport,
  ],
})
export class TransferModule {}
