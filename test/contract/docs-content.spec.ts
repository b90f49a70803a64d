import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCOPES } from '../../src/api/access/access';
import { ERRORS } from '../../src/api/errors/error-codes';
import { changelog, changelogFeed, readChangelog } from '../../src/docs/changelog';
import { contentIn, GUIDES, type Content } from '../../src/docs/content';
import { renderMarkdown } from '../../src/docs/markdown';
import { membersOf, readReference, type Field } from '../../src/docs/reference/api-reference';
import { CHINESE_GROUPS, CHINESE_SUMMARIES } from '../../src/docs/reference/summaries';
import { chineseSentence, sentencesOf } from '../../src/docs/reference/translations';

const ROOT = join(__dirname, '../..');
const readJson = (path: string): object =>
  JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as object;
const reference = readReference(readJson('docs/openapi.json'));
const CODES = [...new Set(Object.values(ERRORS).map(({ code }) => code))].sort((a, b) => a - b);

const fences = (text: string): string[] =>
  [...text.matchAll(/^ *```(\S*)(.*)\n([^]*?)```/gm)].map(([, language, , code]) =>
    `${language} ${code}`.replace(/^ +/gm, ''),
  );

describe.each(['en', 'zh-Hans'] as const)('the texts in %s', (language) => {
  const content: Content = contentIn(language);

  it('explain every error code: meaning, causes and what to do', () => {
    expect([...content.errors.keys()].sort((a, b) => a - b)).toEqual(CODES);
    for (const { code, meaning, text } of content.errors.values()) {
      const parts = [...text.matchAll(/^### (.+)\n\n(?:- .+\n?(?: {2}.+\n?)*)+/gm)];
      expect([code, meaning.length > 4, parts.length]).toEqual([code, true, 2]);
    }
  });

  it('have every guide with title and description', () => {
    for (const { name, title, description } of content.guides.values()) {
      expect([name, title.length > 1, /^[^#|`].{10,}/.test(description)]).toEqual([
        name,
        true,
        true,
      ]);
    }
  });

  it('name every scope', () => {
    const text = content.guides.get('keys-and-tokens')?.text ?? '';
    expect(SCOPES.filter((scope) => !text.includes(`\`${scope}\``))).toEqual([]);
  });

  it('link to pages that exist', () => {
    const pages = new Set([
      ...GUIDES.map((name) => `/docs/guides/${name}`),
      ...CODES.map((code) => `/docs/errors/${code}`),
      ...reference.groups.map(({ name }) => `/docs/reference/${name}`),
      ...['/docs/errors', '/docs/changelog', '/docs/changelog.atom'],
    ]);
    const linksOf = (text: string, from: string): string[] =>
      [...renderMarkdown(text).text.matchAll(/href="([^"#{]+)"/g)]
        .map(([, to]) => new URL(String(to), `http://docs.test${from}`))
        .filter(({ hostname }) => hostname === 'docs.test')
        .map(({ pathname }) => decodeURIComponent(pathname))
        // Pages of users, and the document.
        .filter((path) => !path.includes('{base}'));
    const links = [
      ...[...content.guides.values()].flatMap(({ name, text }) =>
        linksOf(text, `/docs/guides/${name}`),
      ),
      ...[...content.errors.values()].flatMap(({ code, text }) =>
        linksOf(text, `/docs/errors/${code}`),
      ),
    ];
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((link) => !pages.has(link))).toEqual([]);
  });
});

it('guides have the same examples and sections in both languages', () => {
  const [english, chinese] = [contentIn('en').guides, contentIn('zh-Hans').guides];
  for (const name of GUIDES) {
    const [one, other] = [english.get(name)?.text ?? '', chinese.get(name)?.text ?? ''];
    expect([name, fences(other)]).toEqual([name, fences(one)]);
    const sections = (text: string): number => text.split(/^## /m).length;
    expect([name, sections(other)]).toEqual([name, sections(one)]);
  }
});

it('markup in Markdown is shown as text', () => {
  const { text } = renderMarkdown('<b>x</b>\n\n<script>y</script>\n\n```html\n<i>\n```');
  expect(text).not.toMatch(/<(b|script|i)>/);
});

describe('the reference', () => {
  it('has a Chinese summary of every operation and group', () => {
    const missing = reference.operations.filter(({ id }) => !(id in CHINESE_SUMMARIES));
    expect(missing.map(({ id, summary }) => `${id}: ${summary}`)).toEqual([]);
    expect(reference.groups.filter(({ name }) => !(name in CHINESE_GROUPS))).toEqual([]);
  });

  it('has a Chinese translation of every description', () => {
    const descriptions = new Set<string>();
    const addFields = (fields: readonly Field[]): void => {
      for (const { description, schema } of fields) {
        descriptions.add(description);
        addFields(membersOf(schema));
        if (schema.items) addFields(membersOf(schema.items));
      }
    };
    for (const { description, parameters, body, success } of reference.operations) {
      descriptions.add(description);
      addFields([...parameters, ...(body?.fields ?? []), ...membersOf(success?.schema ?? {})]);
    }
    for (const { description = '', ...schema } of reference.objects.values()) {
      if (description !== '') descriptions.add(description);
      addFields(membersOf(schema));
    }
    const missing = [...descriptions].flatMap(sentencesOf).filter((one) => !chineseSentence(one));
    expect([...new Set(missing)]).toEqual([]);
  });
});

describe('the changelog', () => {
  it('begins with the version of the package, after changes that are not released', () => {
    const { version } = readJson('package.json') as { version: string };
    const [first] = changelog().filter((release) => release.version !== 'Unreleased');
    expect(first?.version).toBe(version);
    expect(first?.date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });

  it('is an Atom feed with an entry for each release', () => {
    const releases = readChangelog(
      '# Changelog\n\n## Unreleased\n\n- x\n\n## 1.1.0 - 2027-01-02\n\n- `a` & b\n\n## 1.0.0 - 2026-11-22\n\n- c\n',
    );
    const feed = changelogFeed(releases, 'https://api.test', '/docs/changelog.atom');
    expect(feed.match(/<entry>/g)?.length).toBe(2);
    expect(feed).toContain('<updated>2027-01-02T00:00:00Z</updated>\n  <author>');
    expect(feed).toContain('<id>https://api.test/docs/changelog#1.1.0</id>');
    expect(feed).toContain('&lt;code&gt;a&lt;/code&gt; &amp;amp; b');
  });

  it('has no empty sections, and links to pages instead of files', () => {
    const releases = readChangelog(
      '# Changelog\n\n## Unreleased\n\n## 1.0.0 - 2026-11-22\n\n- [v](docs/versioning.md#x), [o](docs/other.md), [s](https://semver.org/)\n',
    );
    expect(releases.map(({ version, text }) => [version, text])).toEqual([
      ['1.0.0', '- [v](/docs/guides/versions), o, [s](https://semver.org/)'],
    ]);
    const feed = changelogFeed(releases, 'https://api.test', '/docs/changelog.atom');
    expect(feed).toContain(
      'href="https://api.test/docs/guides/versions"'.replaceAll('"', '&quot;'),
    );
  });
});
