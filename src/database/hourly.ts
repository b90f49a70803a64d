import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';

const HOUR = 3600 * 1000;

/** Work that is done once an hour while the service runs. What fails is tried again the next. */
export abstract class Hourly implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  protected abstract work(): Promise<void>;

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.work().catch((error: unknown) => {
        new Logger(this.constructor.name).warn(`not done this hour: ${String(error)}`);
      });
    }, HOUR);
    this.timer.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }
}
