import { Global, Module } from '@nestjs/common';
import { PathSigner } from '../api/resources/resource';
import { Settings } from '../config/settings';
import { DiskStorage } from './disk-storage';
import { PictureSigner } from './picture-signer';
import { PictureStorage } from './picture-storage';
import { PictureSweeper } from './picture-sweeper';
import { PicturesController } from './pictures.controller';
import { PicturesService } from './pictures.service';
import { S3Storage } from './s3-storage';

/** Uploaded pictures. Global, because resources of every area sign picture URLs. */
@Global()
@Module({
  controllers: [PicturesController],
  providers: [
    {
      provide: PictureStorage,
      inject: [Settings],
      useFactory: (settings: Settings): PictureStorage =>
        settings.PICTURES_S3_BUCKET === undefined
          ? new DiskStorage(settings.picturesDir)
          : new S3Storage(settings),
    },
    PictureSigner,
    { provide: PathSigner, useExisting: PictureSigner },
    PicturesService,
    PictureSweeper,
  ],
  exports: [PathSigner, PicturesService, PictureStorage, PictureSweeper],
})
export class ImagesModule {}
