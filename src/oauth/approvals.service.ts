import { Injectable } from '@nestjs/common';
import { ADMIN_SCOPE, LEVELS, type Level } from '../api/access/access';
import { OperationError, notFound } from '../api/errors/error-codes';
import { Database, type SqlExecutor, type TransactionHooks } from '../database/database';
import {
  ApplicationsRepository,
  type BlockNotice,
  type Decision,
  type DecisionState,
  type LockedApplication,
} from './applications.repository';
import { checkScopes } from './applications.service';
import { CallersService } from './callers.service';

/** The scopes and level of a decision. */
export interface Subjects {
  readonly scopes: readonly string[];
  readonly level?: Level;
}

/** The actor and reason of a decision. */
export interface Decider {
  readonly actor: string;
  readonly reason?: string;
}

/** A mail or web address. */
const CONTACT = /^(?:[^\s@]+@\S+|https?:\/\/\S+)$/;

/** Subject of a decision about the application as a whole. */
const APPLICATION = 'application';

/** Each subject's latest decision. */
export function currentStates(decisions: readonly Decision[]): Map<string, Decision> {
  const states = new Map<string, Decision>();
  // Newest first, so the first of each subject is current.
  for (const one of decisions) if (!states.has(one.subject)) states.set(one.subject, one);
  return states;
}

/**
 * Whether a decision changes the state of a subject.
 *
 * @param latest its latest state
 */
function isNews(
  { scopes, level }: LockedApplication,
  subject: string,
  state: DecisionState,
  latest: DecisionState | undefined,
): boolean {
  if (state === 'asked') return latest !== 'asked';
  const holds = subject === level || scopes.includes(subject);
  if (state === 'approved') return !(holds && (latest === undefined || latest === 'approved'));
  return holds || latest !== state;
}

const below = (level: Level): Level => LEVELS[LEVELS.indexOf(level) - 1] ?? 'L1';

/**
 * Approvals of applications: owners request scopes and levels, administrators decide (D15). The
 * history has actor, time and reason. Decisions apply at once, also to existing tokens and
 * to the test key of the application. Decisions about a test key itself are rejected (D171).
 */
@Injectable()
export class ApprovalsService {
  constructor(
    private readonly database: Database,
    private readonly applications: ApplicationsRepository,
    private readonly callers: CallersService,
  ) {}

  /** Records a request. @throws OperationError when the application or scope is not found */
  requestApproval(
    clientId: string,
    subjects: Subjects,
    decider: Decider,
    hooks?: TransactionHooks,
  ): Promise<void> {
    if (subjects.scopes.includes(ADMIN_SCOPE)) {
      return Promise.reject(
        new OperationError(
          'applications cannot request the scope admin; an administrator grants it',
        ),
      );
    }
    return this.decide(clientId, subjects, 'asked', decider, hooks);
  }

  /** @throws OperationError when the application or scope is not found, or without subjects */
  approve(
    clientId: string,
    subjects: Subjects,
    decider: Decider,
    hooks?: TransactionHooks,
  ): Promise<void> {
    return this.decide(clientId, subjects, 'approved', decider, hooks);
  }

  /** Declines a request and revokes an earlier approval. @throws OperationError as `approve` */
  decline(
    clientId: string,
    subjects: Subjects,
    decider: Decider,
    hooks?: TransactionHooks,
  ): Promise<void> {
    return this.decide(clientId, subjects, 'declined', decider, hooks);
  }

  /** Suspends an approval. @throws OperationError as `approve` */
  suspend(
    clientId: string,
    subjects: Subjects,
    decider: Decider,
    hooks?: TransactionHooks,
  ): Promise<void> {
    return this.decide(clientId, subjects, 'suspended', decider, hooks);
  }

  private async decide(
    clientId: string,
    { scopes, level }: Subjects,
    state: 'asked' | 'approved' | 'declined' | 'suspended',
    decider: Decider,
    hooks?: TransactionHooks,
  ): Promise<void> {
    const named = checkScopes(scopes);
    const subjects = [...named, ...(level === undefined ? [] : [level])];
    if (subjects.length === 0)
      throw new OperationError('at least one scope or a level is required');
    await this.database.transaction(async (runner) => {
      const application = await this.lock(runner, clientId);
      const latest = await this.applications.latest(runner, application.id, subjects);
      const fresh = subjects.filter((one) => isNews(application, one, state, latest.get(one)));
      if (fresh.length === 0) return;
      await this.applications.decide(runner, application.id, fresh, state, decider);
      if (state === 'asked') return;
      const scopesOf: string[] = fresh.filter((one) => one !== level);
      const others = application.scopes.filter((scope) => !scopesOf.includes(scope));
      const allowed = state === 'approved' ? [...others, ...scopesOf] : others;
      let present = application.level;
      if (level !== undefined && fresh.some((one) => one === level)) {
        if (state === 'approved') present = level;
        // An application that loses its level gets the next lower one.
        else if (level === present) present = below(level);
      }
      await this.applications.allow(runner, application.id, allowed, present);
    }, hooks);
    this.callers.forget();
  }

  /**
   * Blocks an application, its key and all its tokens. Blocking it again may change the notice.
   * @throws OperationError when not found, or without a reason and a contact (D120)
   */
  async block(
    clientId: string,
    { contact = '', ...decider }: Decider & { readonly contact?: string },
    hooks?: TransactionHooks,
  ): Promise<void> {
    const notice = { reason: (decider.reason ?? '').trim(), contact: contact.trim() };
    if (notice.reason === '' || !CONTACT.test(notice.contact)) {
      throw new OperationError('a block requires a reason, and a mail or web address as contact');
    }
    await this.setBlocked(clientId, notice, decider, hooks);
  }

  /** @throws OperationError when the application is not found */
  unblock(clientId: string, decider: Decider, hooks?: TransactionHooks): Promise<void> {
    return this.setBlocked(clientId, undefined, decider, hooks);
  }

  private async lock(runner: SqlExecutor, clientId: string): Promise<LockedApplication> {
    const application = await this.applications.lock(runner, clientId);
    if (!application) throw notFound(`application not found: ${clientId}`);
    const { test_of } = application;
    if (test_of !== null) {
      throw new OperationError(
        `decisions apply to the application of a test key, not to the test key itself: ${test_of}`,
      );
    }
    return application;
  }

  private async setBlocked(
    clientId: string,
    notice: BlockNotice | undefined,
    decider: Decider,
    hooks: TransactionHooks | undefined,
  ): Promise<void> {
    await this.database.transaction(async (runner) => {
      const application = await this.lock(runner, clientId);
      const { blocked, blocked_reason: reason, blocked_contact: contact } = application;
      const isSame = notice
        ? blocked && notice.reason === reason && notice.contact === contact
        : !blocked;
      if (isSame) return;
      await this.applications.setBlocked(runner, application.id, notice);
      const state = notice ? 'blocked' : 'unblocked';
      await this.applications.decide(runner, application.id, [APPLICATION], state, decider);
    }, hooks);
    this.callers.forget();
  }
}
