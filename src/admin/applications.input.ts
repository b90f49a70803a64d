import { ALL_SCOPES, LEVELS, type Level } from '../api/access/access';
import { EnumParam, Text, StringListParam, IntegerParam } from '../api/input/input';
import { HIGHEST_LIMIT } from '../config/setting-types';

export const APPLICATION_STATES = ['waiting', 'open', 'blocked'] as const;

/** Which applications are wanted. */
export class ApplicationsQuery {
  @Text({ about: 'Part of the name, or the whole client_id.' })
  q?: string;

  @Text({ about: 'Uid of who made it.' })
  owner?: string;

  @EnumParam(APPLICATION_STATES, {
    about: 'waiting: something was asked for and nobody has answered.',
  })
  state?: string;
}

/** Why something is decided; whoever made the application sees it. */
export class ReasonInput {
  @Text({ max: 1000, about: 'Why; whoever made the application sees it.' })
  reason?: string;
}

/** What is decided about: scopes, a level, or both. */
export class DecisionInput extends ReasonInput {
  @StringListParam({ of: ALL_SCOPES, about: 'Scopes that it is about.' })
  scopes?: string[];

  @EnumParam(LEVELS, { about: 'Level that it is about.' })
  level?: Level;
}

/** A limit of an application's own. */
export class ApplicationLimitInput {
  @IntegerParam({
    min: 0,
    max: HIGHEST_LIMIT,
    required: true,
    about: 'Calls an hour; 0 is no limit.',
  })
  per_hour: number;
}
