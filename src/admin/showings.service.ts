import { Injectable } from '@nestjs/common';
import { OperationError, notFound } from '../api/errors/error-codes';
import { type Page, type PageQuery } from '../api/resources/page';
import { AuditService, type Actor } from '../audit/audit.service';
import { CitiesService } from '../cities/cities.service';
import { Database, type SqlExecutor } from '../database/database';
import {
  ShowingsRepository,
  type ShowingFilter,
  type ShowingKey,
  type ShowingRow,
} from '../movies/showings.repository';
import { checkSubjects } from './records/records.input';

/** A showing to write. Days are `yyyy-MM-dd`, both inclusive. */
export interface ShowingValues {
  readonly subject_id: number;
  /** Id, uid or name of the city. */
  readonly city: string;
  readonly from: string;
  readonly until?: string;
}

/** Administration of showings (D36, D37). */
@Injectable()
export class ShowingsService {
  constructor(
    private readonly database: Database,
    private readonly showings: ShowingsRepository,
    private readonly cities: CitiesService,
    private readonly audit: AuditService,
  ) {}

  /** Showings, newest first. @throws OperationError 1006 for an unknown city */
  async list(
    city: string | undefined,
    subject: number | undefined,
    page: PageQuery,
  ): Promise<Page<ShowingRow>> {
    return this.showings.list(await this.filterOf(city, subject), page);
  }

  /** All matching showings, newest first. @throws OperationError 1006 for an unknown city */
  async *scan(city: string | undefined, subject: number | undefined): AsyncGenerator<ShowingRow> {
    yield* this.showings.scan(await this.filterOf(city, subject));
  }

  /**
   * Creates a showing, or updates the end of the showing that begins on the same day.
   * @throws OperationError 1006 for an unknown city or subject, 999 for an end before the beginning
   */
  async write(requested: ShowingValues, actor: Actor): Promise<ShowingRow> {
    const { subject_id, from, until = null } = requested;
    if (until !== null && until < from) throw new OperationError('until must not be before from');
    const key: ShowingKey = [subject_id, await this.cityId(requested.city), from];
    const read = (executor: SqlExecutor) => this.showings.findShowing(key, executor);
    return this.change('write', key.join('/'), read, actor, async (executor) => {
      await checkSubjects(executor, [subject_id]);
      // A merge or a deletion right after the commit can move or delete the showing.
      return this.showings.write(executor, key, until);
    });
  }

  /** @throws OperationError 1001 when not found */
  async deleteShowing(id: number, actor: Actor): Promise<void> {
    const read = (executor?: SqlExecutor) => this.showings.findShowingById(id, executor);
    const found = await read();
    if (!found) throw notFound(`showing not found: ${id}`);
    const key = [found.subject_id, found.city_id, found.from].join('/');
    await this.change('remove', key, read, actor, (executor) => this.showings.delete(executor, id));
  }

  private change<T>(
    verb: string,
    id: string,
    read: (executor: SqlExecutor) => Promise<object | undefined>,
    actor: Actor,
    work: (executor: SqlExecutor) => Promise<T>,
  ): Promise<T> {
    return this.audit.logChange(
      { actor, action: `showing.${verb}`, kind: 'showing', id, read },
      (hooks) => this.database.transaction(work, hooks),
    );
  }

  private async filterOf(
    city: string | undefined,
    subject: number | undefined,
  ): Promise<ShowingFilter> {
    return { city: city === undefined ? undefined : await this.cityId(city), subject };
  }

  private async cityId(name: string): Promise<number> {
    const city = await this.cities.find(name);
    if (!city) throw new OperationError(`city not found: ${name}`, 'targetNotFound');
    return city.id;
  }
}
