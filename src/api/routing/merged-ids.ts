import { Injectable } from '@nestjs/common';

/** Content key of responses in memory whose handlers read these ids. */
export const MERGED_IDS = 'merged_ids';

/** A merged record: kind, id, and the id of the record that it was merged into. */
export type MergedId = readonly [kind: string, id: number, survivorId: number];

/**
 * Ids of merged records. Requests that name one are answered with the surviving record (D149).
 * `merges/` fills it.
 */
@Injectable()
export class MergedIds {
  private survivors: ReadonlyMap<string, number> = new Map();

  /** Called after each replacement, which follows the change in the database. */
  onReplaced: (() => void) | undefined;

  /** Replaces all ids. */
  replace(all: readonly MergedId[]): void {
    this.survivors = new Map(all.map(([kind, id, survivor]) => [`${kind} ${id}`, survivor]));
    this.onReplaced?.();
  }

  /** The surviving record of a merged one; undefined for other ids. */
  survivorOf(kind: string, id: number): number | undefined {
    return this.survivors.size === 0 ? undefined : this.survivors.get(`${kind} ${id}`);
  }

  /** The id itself, or that of the surviving record. */
  current(kind: string, id: number): number {
    return this.survivorOf(kind, id) ?? id;
  }

  /** Replaces the ids of merged records in the values of a path. */
  follow(
    parameters: readonly { readonly name: string; readonly kind: string }[],
    values: Record<string, unknown>,
  ): void {
    if (this.survivors.size === 0) return;
    for (const { name, kind } of parameters) {
      const survivor = this.survivorOf(kind, Number(values[name]));
      if (survivor !== undefined) values[name] = String(survivor);
    }
  }
}
