import { problemText } from './problems';

it.each([
  'another search runs',
  'a reason is required to decline; the developer reads it',
  'the decision about report 5 cannot be undone; only the moderator who decided can undo it, within a minute',
  'hiding this note cannot be undone',
  'text 5 was already decided, or its author has changed it',
  'report 5 is already resolved',
  'the author of this note is not a user of this service',
  'a photo cannot be hidden; supported types: note',
  'the block of user 5 has changed',
  'a block requires a reason, and a mail or web address as contact',
  'at least one scope or a level is required',
  'applications cannot request the scope admin; an administrator grants it',
  'a limit must be an integer from 0 (unlimited) to 2000000000',
  'line 3: a word must have at most 100 characters',
  'the word "***" contains no letters',
  'line 3: the word "a" must have more than one letter',
  'the database is not embedded: back it up with its own tools',
  'another backup is being downloaded: wait until it is complete',
  'us_box cannot be computed, because the service has no box office data; import it',
  'subject 5 occurs more than once',
  'until must not be in the past',
  'rating.average must be from 0 to 10',
])('has a sentence in each language for: %s', (detail) => {
  const [en, hans, hant] = ['en', 'zh-Hans', 'zh-Hant'].map((lang) => problemText(lang, detail));
  expect(en).toMatch(/\.$/);
  expect(hans).toMatch(/[\u4e00-\u9fff].*。$/);
  expect(hant).toMatch(/[\u4e00-\u9fff].*。$/);
  expect(`${en}${hans}${hant}`).not.toMatch(/\$\d/);
});
