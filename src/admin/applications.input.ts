import { ALL_SCOPES, LEVELS, type Level } from '../api/access/access';
import { EnumParam, Text, StringListParam, IntegerParam } from '../api/input/input';
import { HIGHEST_LIMIT } from '../config/setting-types';

export const APPLICATION_STATES = ['waiting', 'open', 'blocked'] as const;

/** Filters of the list of applications. */
export class ApplicationsQuery {
  @Text({ about: 'Part of the name, or the complete client_id.' })
  q?: string;

  @Text({ about: 'Uid of the owner.' })
  owner?: string;

  @EnumParam(APPLICATION_STATES, {
    about: 'waiting: an undecided request exists.',
  })
  state?: string;
}

/** The reason of a decision, which is visible to the owner of the application. */
export class ReasonInput {
  @Text({ max: 1000, about: 'Reason; visible to the owner of the application.' })
  reason?: string;
}

/** A block of an application, with what its developer learns (D120). */
export class BlockInput {
  @Text({ max: 1000, required: true, about: 'Reason; visible to the owner of the application.' })
  reason!: string;

  @Text({
    max: 200,
    required: true,
    about: 'Mail or web address for the owner of the application.',
  })
  contact!: string;
}

/** A decision: its scopes, level or both, and its reason (required to decline or suspend). */
export class DecisionInput {
  @Text({
    max: 1000,
    about: 'Reason; visible to the owner of the application. Required to decline or suspend.',
  })
  reason?: string;

  @StringListParam({ of: ALL_SCOPES, about: 'Scopes to decide about.' })
  scopes?: string[];

  @EnumParam(LEVELS, { about: 'Level to decide about.' })
  level?: Level;
}

/** An application's own request limit. */
export class ApplicationLimitInput {
  @IntegerParam({
    min: 0,
    max: HIGHEST_LIMIT,
    required: true,
    about: 'Requests per hour; 0 means unlimited.',
  })
  per_hour: number;
}
