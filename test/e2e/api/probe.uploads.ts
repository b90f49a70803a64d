import { Controller, Module, Post, Put, type DynamicModule } from '@nestjs/common';
import { type DataSource } from 'typeorm';
import { BodyInput } from '../../../src/api/input/input';
import {
  Public,
  RespondsJson,
  RequireScope,
  UploadedPictures,
  Uploads,
} from '../../../src/api/routing/route';
import { type PictureUpload } from '../../../src/api/body/uploads';
import { type Settings } from '../../../src/config/settings';
import { ImagesModule } from '../../../src/images/images.module';
import { PicturesService } from '../../../src/images/pictures.service';
import { LooseInput } from './probe.bodies';
import { probing } from './probe.module';
import { prepareFile } from '../../factories/prepared-pictures';

const ANY = { type: 'object' };
const PART = /^(pic)?[1-9][0-9]*$/;

const told = (note: string | undefined, files: readonly PictureUpload[]) => ({
  note,
  pictures: files.map(({ field, file }) => ({ field, size: file.size })),
});

/** Resolves when held requests may continue, and the number of those that have begun. */
export const hold = { until: Promise.resolve(), count: 0 };

/** Endpoints that take pictures. */
@Controller('v2/probe')
export class UploadsController {
  constructor(private readonly pictures: PicturesService) {}

  @Post('three')
  @RequireScope('book_basic_w')
  @Uploads({ field: PART, max: 3 })
  @RespondsJson(ANY)
  three(@BodyInput(LooseInput) { note }: LooseInput, @UploadedPictures() files: PictureUpload[]) {
    return told(note, files);
  }

  @Put('many')
  @RequireScope('book_basic_w')
  @Uploads({ field: PART, max: undefined })
  @RespondsJson(ANY)
  many(@BodyInput(LooseInput) { note }: LooseInput, @UploadedPictures() files: PictureUpload[]) {
    return told(note, files);
  }

  @Post('none')
  @RequireScope('book_basic_w')
  @RespondsJson(ANY)
  none(@BodyInput(LooseInput) { note }: LooseInput, @UploadedPictures() files: PictureUpload[]) {
    return told(note, files);
  }

  @Post('held')
  @Public()
  @Uploads({ field: PART, max: 3 })
  @RespondsJson(ANY)
  async held(@UploadedPictures() files: PictureUpload[]) {
    hold.count += 1;
    await hold.until;
    return told(undefined, files);
  }

  @Post('prepared')
  @Public()
  @Uploads({ field: PART, max: undefined })
  @RespondsJson(ANY)
  async prepared(@UploadedPictures() files: PictureUpload[]) {
    const prepared = [];
    for (const { file } of files) prepared.push(await prepareFile(this.pictures, file));
    return { paths: prepared.map(({ path }) => path) };
  }
}

@Module({})
class PicturesProbe {}

/** A service of the endpoints above, with the pictures of the real one. */
export const probingPictures = (settings: Settings, source: DataSource): DynamicModule => ({
  module: PicturesProbe,
  imports: [probing(UploadsController)(settings, source), ImagesModule],
});
