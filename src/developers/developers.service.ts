import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { LEVELS, SCOPES, type Level } from '../api/access/access';
import { Moderator } from '../api/writes/moderation';
import { normalized } from '../api/input/normalize';
import { cleanText, lengthOf } from '../api/input/text-input';
import { type SignedIn } from '../accounts/accounts.repository';
import {
  type ApplicationDetails,
  type ApplicationProfile,
  type LogChange,
} from '../oauth/applications.repository';
import { type SqlExecutor } from '../database/database';
import {
  ApplicationsService,
  MAX_APPLICATIONS,
  TooManyApplications,
  type MadeApplication,
} from '../oauth/applications.service';
import { ApprovalsService } from '../oauth/approvals.service';
import { isRedirectUri, REDIRECT_LIMITS } from '../oauth/redirect-uris';
import { type Messages } from '../web/messages.en';
import { type DevelopersMessages } from './messages/en';
import { developersMessages } from './messages/messages';

/** The form with an application's settings. */
export interface ApplicationForm {
  readonly name: string;
  /** One per line. */
  readonly redirectUris: string;
  readonly isPublic: boolean;
  readonly homepage: string;
  readonly description: string;
}

/** The form that requests scopes or a level. */
export interface RequestForm {
  readonly scopes: readonly string[];
  /** Empty for none. */
  readonly level: string;
  readonly reason: string;
  readonly agreed: boolean;
}

/** A result, or an error message for the page. */
export type Outcome<T> = { readonly value: T } | { readonly error: string };

type Words = Messages['developer'];

/** Scopes of movie data; a request for them must accept the conditions (section 5, item 7). */
export const isMovieScope = (scope: string): boolean => scope.startsWith('movie_');

const MAX_NAME_LENGTH = 60;
const MAX_REASON_LENGTH = 2000;
/** Of homepage and description, in characters. */
const MAX_PROFILE_LENGTH = 300;

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

// Characters that look like Latin letters.
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

/** Reduces a name to its letters and replaces lookalikes with Latin letters. */
const looksOf = (name: string): string =>
  Array.from(normalized(name, 'NFKD').toLowerCase(), (one) => LOOKALIKES[one] ?? one)
    .join('')
    .replace(/[^\p{L}]/gu, '');

/** Names must be readable: no invisible characters, no changes of the text direction. */
const isName = (name: string): boolean =>
  /[\p{L}\p{N}\p{S}]/u.test(name) &&
  lengthOf(name) <= MAX_NAME_LENGTH &&
  !/[\p{Cf}\p{Zl}\p{Zp}\p{Co}]/u.test(name);

function readForm(words: Words, form: ApplicationForm): Outcome<{ name: string; uris: string[] }> {
  const name = cleanText(form.name).replace(/\s+/g, ' ');
  if (!isName(name)) return { error: words.badName };
  // A condition of the service (specification section 5, item 7).
  if (looksOf(name).includes('commonplace')) {
    return { error: words.nameOfService };
  }
  const uris = [...new Set(form.redirectUris.split(/\s+/).filter((uri) => uri !== ''))];
  const wrong = uris.find((uri) => uri.length <= REDIRECT_LIMITS.length && !isRedirectUri(uri));
  if (wrong !== undefined) return { error: words.badRedirect(wrong) };
  if (
    uris.length > REDIRECT_LIMITS.count ||
    uris.some((uri) => uri.length > REDIRECT_LIMITS.length)
  ) {
    return { error: words.manyRedirects };
  }
  return { value: { name, uris } };
}

/** Whether a text is an address with https that a page can link to. */
const isHomepage = (text: string): boolean =>
  text.length <= MAX_PROFILE_LENGTH &&
  /^https:\/\/[!#-;=?-[\]_a-z~]+$/i.test(text) &&
  URL.canParse(text) &&
  new URL(text).username === '' &&
  new URL(text).password === '';

/** Reads homepage and description; both may be empty. */
function readProfile(
  words: DevelopersMessages,
  form: ApplicationForm,
): Outcome<ApplicationProfile> {
  const homepage = form.homepage.trim();
  if (homepage !== '' && !isHomepage(homepage)) return { error: words.badHomepage };
  const description = cleanText(form.description).replace(/\s+/g, ' ');
  if (lengthOf(description) > MAX_PROFILE_LENGTH) return { error: words.badDescription };
  return { value: { homepage, description } };
}

/** The settings that developers change. */
interface ApplicationSettings extends ApplicationProfile {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** Requested scopes and level, with the reason for administrators. */
interface ApprovalRequest {
  readonly scopes: readonly string[];
  readonly level: string | undefined;
  readonly reason: string;
}

/** Operations of developers on their own applications. */
@Injectable()
export class DevelopersService {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly approvals: ApprovalsService,
    private readonly moderator: Moderator,
  ) {}

  /** An application of the user; undefined for applications of other users. */
  async own(user: SignedIn, clientId: string): Promise<ApplicationDetails | undefined> {
    const application = await this.applications.details(clientId);
    return application?.owner === user.uid ? application : undefined;
  }

  async create(
    words: Words,
    user: SignedIn,
    form: ApplicationForm,
    log: LogChange<MadeApplication>,
  ): Promise<Outcome<MadeApplication>> {
    const read = readForm(words, form);
    if ('error' in read) return read;
    const { name, uris: redirectUris } = read.value;
    if (!(await this.moderator.accepts('name', name))) return { error: words.bannedName };
    const { isPublic } = form;
    try {
      const wanted = { name, redirectUris, isPublic, ownerId: user.id };
      return { value: await this.applications.create(wanted, undefined, log) };
    } catch (error) {
      // `create` checks the limit in its transaction, because requests may be concurrent.
      if (!(error instanceof TooManyApplications)) throw error;
      return { error: words.manyApplications(MAX_APPLICATIONS) };
    }
  }

  /** Updates the settings of an application. @returns the new settings; undefined without a change */
  async update(
    messages: Messages,
    application: ApplicationDetails,
    form: ApplicationForm,
    log: LogChange<ApplicationSettings>,
  ): Promise<Outcome<ApplicationSettings | undefined>> {
    const words = messages.developer;
    const more = developersMessages(messages.lang);
    const read = readForm(words, form);
    if ('error' in read) return read;
    const profile = readProfile(more, form);
    if ('error' in profile) return profile;
    const { name, uris } = read.value;
    const { description } = profile.value;
    // A new banned word must not block changes of the addresses under an existing name.
    const renamed = name !== application.name;
    if (renamed && !(await this.moderator.accepts('name', name)))
      return { error: words.bannedName };
    const described = description !== application.description;
    if (described && !(await this.moderator.accepts('description', description)))
      return { error: more.bannedDescription };
    const settings = { name, redirectUris: uris, ...profile.value };
    const former = {
      name: application.name,
      redirectUris: application.redirect_uris,
      homepage: application.homepage,
      description: application.description,
    };
    if (isDeepStrictEqual(settings, former)) return { value: undefined };
    await this.applications.update(application, settings, (executor) => log(executor, settings));
    return { value: settings };
  }

  /** Deletes an application, confirmed by its name. @returns an error message, or undefined */
  async delete(
    words: DevelopersMessages,
    application: ApplicationDetails,
    confirmation: string,
    log: LogChange,
  ): Promise<string | undefined> {
    // The operator needs the record of a blocked application.
    if (application.blocked_at !== null) return words.deleteBlocked;
    if (cleanText(confirmation).replace(/\s+/g, ' ') !== application.name)
      return words.deleteMismatch;
    const deleted = await this.applications.delete(application, log);
    return deleted ? undefined : words.deleteBlocked;
  }

  /** Requests scopes or a level. @returns what was requested */
  async requestApproval(
    words: Words,
    user: SignedIn,
    application: ApplicationDetails,
    form: RequestForm,
    log: LogChange<ApprovalRequest>,
  ): Promise<Outcome<ApprovalRequest>> {
    const missing = missingFrom(application);
    const scopes = form.scopes.filter((scope) => missing.scopes.includes(scope));
    const level = missing.levels.find((one) => one === form.level);
    if (scopes.length === 0 && level === undefined) return { error: words.askWhat };
    const reason = cleanText(form.reason);
    if (reason === '' || lengthOf(reason) > MAX_REASON_LENGTH) return { error: words.askWhy };
    if (scopes.some(isMovieScope) && !form.agreed) return { error: words.askConditions };
    const agreed = scopes.some(isMovieScope) ? '\n(agreed to the conditions for movie data)' : '';
    const value = { scopes, level, reason };
    await this.approvals.requestApproval(
      application.client_id,
      { scopes, level },
      { actor: user.uid, reason: reason + agreed },
      { end: (executor: SqlExecutor) => log(executor, value) },
    );
    return { value };
  }
}
