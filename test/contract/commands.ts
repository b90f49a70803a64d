/** Command, and what it writes into the log of changes. */
type Logged = readonly [command: string, ...actions: string[]];

/** Commands that change something for others, by what the log says of it then. */
export const LOGGED: readonly Logged[] = [
  ['import', 'import.begin', 'import.end'],
  ['synthetic', 'import.begin', 'import.end'],
  ['sample load', 'import.begin', 'import.end'],
  ['sample token', 'token.issue'],
  ['recount', 'recount'],
  ['chart write', 'chart.write'],
  ['chart compute', 'chart.compute'],
  ['chart remove', 'chart.remove'],
  ['showing write', 'showing.write'],
  ['showing remove', 'showing.remove'],
  ['record put', 'book.create', 'book.update', 'series.create', 'series.update'],
  ['record remove', 'book.remove', 'series.remove'],
  ['job start', 'job.export'],
  ['job cancel', 'job.cancel'],
  ['user create', 'user.create'],
  ['user password', 'user.password'],
  ['user block', 'user.block'],
  ['user unblock', 'user.unblock'],
  ['user role', 'user.role'],
  ['app create', 'application.create'],
  ['app approve', 'application.approve'],
  ['app decline', 'application.decline'],
  ['app suspend', 'application.suspend'],
  ['app block', 'application.block'],
  ['app unblock', 'application.unblock'],
  ['app limit', 'application.limit'],
  ['limit set', 'limit.set'],
  ['limit reset', 'limit.reset'],
  ['token issue', 'token.issue'],
  ['token revoke', 'token.revoke'],
  ['friend add', 'user.befriend'],
  ['friend remove', 'user.part'],
  ['word add', 'word.add'],
  ['word import', 'word.add'],
  ['word remove', 'word.remove'],
  ['moderation release', 'moderation.release'],
  ['moderation reject', 'moderation.reject'],
  ['report resolve', 'report.dismiss', 'report.hide'],
];

/** Commands that the log says nothing of, and why. */
export const UNLOGGED: Readonly<Record<string, readonly string[]>> = {
  'changes nothing': [
    ...['export', 'openapi', 'migrate status', 'note history', 'audit list'],
    ...['chart list', 'chart show', 'showing list', 'record list', 'record show'],
    ...['job list', 'job show', 'job report', 'user list', 'user show', 'app list', 'app show'],
    ...['limit list', 'limit show', 'word list', 'moderation list', 'moderation show'],
    ...['report list', 'report show', 'backup create', 'backup verify'],
  ],
  'is the server': ['serve'],
  'makes the log itself, and takes it away': ['migrate up', 'migrate down'],
  'replaces the log with everything else': ['backup restore'],
  'does what servers do by themselves every hour': ['picture sweep'],
};
