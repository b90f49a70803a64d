import { type Page } from '../api/resources/page';
import { type UserRow } from '../users/users.resources';

/** An event as statements return it; see `eventColumns`. */
export interface EventRow {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly image: string;
  readonly image_hlarge: string;
  readonly image_lmobile: string;
  readonly address: string;
  readonly geo: string;
  /** In degrees; null when unknown. */
  readonly lat: number | null;
  readonly lon: number | null;
  readonly category: string;
  readonly private: boolean;
  readonly can_invite: boolean;
  /** Whether the caller is invited. */
  readonly invited: boolean;
  /** Seconds since 1970. */
  readonly begins: number;
  readonly ends: number;
  readonly updated: number;
  readonly owner: UserRow;
}

/** How a user joins an event: both are independent (D38). */
export type ParticipationKind = 'participate' | 'wish';

/** Users who joined an event. */
export interface UsersOfEvent extends Page<UserRow> {
  /** Whether the event is private. */
  readonly private: boolean;
}
