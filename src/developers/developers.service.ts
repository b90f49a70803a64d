import { Injectable } from '@nestjs/common';
import { LEVELS, SCOPES, type Level } from '../api/access/access';
import { Moderator } from '../api/writes/moderation';
import { normalized } from '../api/input/normalize';
import { cleanText, lengthOf } from '../api/input/text-input';
import { type SignedIn } from '../accounts/accounts.repository';
import { type ApplicationDetails } from '../oauth/applications.repository';
import {
  ApplicationsService,
  MAX_APPLICATIONS,
  TooManyApplications,
  type MadeApplication,
} from '../oauth/applications.service';
import { ApprovalsService } from '../oauth/approvals.service';
import { isRedirectUri, REDIRECT_LIMITS } from '../oauth/redirect-uris';
import { type Messages } from '../web/messages.en';

/** What a developer says of an application. */
export interface ApplicationForm {
  readonly name: string;
  /** One a line. */
  readonly redirectUris: string;
  readonly isPublic: boolean;
}

/** What a developer asks for. */
export interface RequestForm {
  readonly scopes: readonly string[];
  /** Empty for none. */
  readonly level: string;
  readonly reason: string;
  readonly agreed: boolean;
}

/** A result, or a sentence that says what stands in the way of it. */
export type Outcome<T> = { readonly value: T } | { readonly fault: string };

type Words = Messages['developer'];

/** Scopes of movie data: whoever asks for them agrees to its conditions (section 5, item 7). */
export const isMovieScope = (scope: string): boolean => scope.startsWith('movie_');

const MAX_NAME_LENGTH = 60;
const MAX_REASON_LENGTH = 2000;

/** Scopes and levels that an application does not have. */
export function missingFrom({ scopes, level }: ApplicationDetails): {
  scopes: string[];
  levels: Level[];
} {
  return {
    scopes: SCOPES.filter((scope) => !scopes.includes(scope)),
    levels: LEVELS.slice(LEVELS.indexOf(level) + 1),
  };
}

// Letters of other scripts that look like Latin ones.
const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    a: 'аα',
    c: 'сϲ',
    e: 'еεё',
    l: 'ӏı1|',
    m: 'мṃ',
    n: 'пη',
    o: 'оο0ө',
    p: 'рρ',
  }).flatMap(([latin, others]) => Array.from(others, (other) => [other, latin])),
);

/** What a name looks like at a glance: letters alone, in Latin where they could be taken for it. */
const looksOf = (name: string): string =>
  Array.from(normalized(name, 'NFKD').toLowerCase(), (one) => LOOKALIKES[one] ?? one)
    .join('')
    .replace(/[^\p{L}]/gu, '');

/** People must be able to read and tell a name: nothing invisible, nothing that turns its order. */
const isName = (name: string): boolean =>
  /[\p{L}\p{N}\p{S}]/u.test(name) &&
  lengthOf(name) <= MAX_NAME_LENGTH &&
  !/[\p{Cf}\p{Zl}\p{Zp}\p{Co}]/u.test(name);

function readForm(words: Words, form: ApplicationForm): Outcome<{ name: string; uris: string[] }> {
  const name = cleanText(form.name).replace(/\s+/g, ' ');
  if (!isName(name)) return { fault: words.badName };
  // A condition of the service (specification section 5, item 7).
  if (looksOf(name).includes('commonplace')) {
    return { fault: words.nameOfService };
  }
  const uris = [...new Set(form.redirectUris.split(/\s+/).filter((uri) => uri !== ''))];
  const wrong = uris.find((uri) => uri.length <= REDIRECT_LIMITS.length && !isRedirectUri(uri));
  if (wrong !== undefined) return { fault: words.badRedirect(wrong) };
  if (
    uris.length > REDIRECT_LIMITS.count ||
    uris.some((uri) => uri.length > REDIRECT_LIMITS.length)
  ) {
    return { fault: words.manyRedirects };
  }
  return { value: { name, uris } };
}

/** What developers do with their own applications, and only with those. */
@Injectable()
export class DevelopersService {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly approvals: ApprovalsService,
    private readonly moderator: Moderator,
  ) {}

  /** One of the user's own applications; undefined for everybody else's. */
  async own(user: SignedIn, clientId: string): Promise<ApplicationDetails | undefined> {
    const application = await this.applications.details(clientId);
    return application?.owner === user.uid ? application : undefined;
  }

  async create(
    words: Words,
    user: SignedIn,
    form: ApplicationForm,
  ): Promise<Outcome<MadeApplication>> {
    const read = readForm(words, form);
    if ('fault' in read) return read;
    const { name, uris: redirectUris } = read.value;
    if (!(await this.moderator.accepts('name', name))) return { fault: words.bannedName };
    const { isPublic } = form;
    try {
      const wanted = { name, redirectUris, isPublic, ownerId: user.id };
      return { value: await this.applications.create(wanted) };
    } catch (error) {
      // Of several at once, the last ones.
      if (!(error instanceof TooManyApplications)) throw error;
      return { fault: words.manyApplications(MAX_APPLICATIONS) };
    }
  }

  /** Changes name and redirect addresses; a sentence when they cannot be. */
  async update(
    words: Words,
    application: ApplicationDetails,
    form: ApplicationForm,
  ): Promise<string | undefined> {
    const read = readForm(words, form);
    if ('fault' in read) return read.fault;
    const { name, uris } = read.value;
    // Addresses can be changed under a name that was fine when it was given.
    const renamed = name !== application.name;
    if (renamed && !(await this.moderator.accepts('name', name))) return words.bannedName;
    await this.applications.update(application.id, name, uris);
    return undefined;
  }

  /** Asks for scopes or a level; a sentence when it cannot be asked like this. */
  async ask(
    words: Words,
    user: SignedIn,
    application: ApplicationDetails,
    form: RequestForm,
  ): Promise<string | undefined> {
    const missing = missingFrom(application);
    const scopes = form.scopes.filter((scope) => missing.scopes.includes(scope));
    const level = missing.levels.find((one) => one === form.level);
    if (scopes.length === 0 && level === undefined) return words.askWhat;
    const reason = cleanText(form.reason);
    if (reason === '' || lengthOf(reason) > MAX_REASON_LENGTH) return words.askWhy;
    if (scopes.some(isMovieScope) && !form.agreed) return words.askConditions;
    const agreed = scopes.some(isMovieScope) ? '\n(agreed to the conditions for movie data)' : '';
    await this.approvals.ask(
      application.client_id,
      { scopes, level },
      { actor: user.uid, reason: reason + agreed },
    );
    return undefined;
  }
}
