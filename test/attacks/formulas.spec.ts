import { atScale } from '../figures';
import { Target } from './target';

/** A short formula whose definition makes it 50,000 characters long. */
const DEFINED = `<tex>\\def\\a{${'x^2'.repeat(550)}}${'\\a'.repeat(95)}</tex>`;
const CHEMISTRY = (at: number): string => `<tex>\\ce{${'1/2'.repeat(600)}${at}}</tex>`;
const LONG = (at: number): string => `<tex>${'x^2'.repeat(320)}+${at}</tex>`;
const VIEWS = atScale(100, 10);

/** Short formulas whose nested arguments Temml renders two or three times each. */
const NESTED = [
  ['\\cancelto{a}{', '}', 40],
  ['\\equilibriumRight{', '}', 40],
  ['\\equilibriumLeft[{', '}]{y}', 30],
  ['\\llap{', '}', 60],
  ['\\llap{%}\n', '}', 60],
  ['\\mathllap{', '}', 60],
  ['\\ce{<=>>[', ']}', 25],
  ['\\ce{<<=>[', ']}', 25],
] as const;
/** The same within chemistry. */
const NESTED_CHEMISTRY = [
  ['<=>>[', ']', 40],
  ['<<=>[', ']', 40],
  ['^{', '}_{2}A', 30],
  ['_{', '}^{2}A', 30],
  ['^{', '}{a}', 40],
  ['_{', '}{a}', 40],
] as const;

const nest = (before: string, after: string, depth: number): string =>
  `${before.repeat(depth)}x${after.repeat(depth)}`;

/** Formulas that would take gigabytes of memory. */
const GROWING = [
  ...NESTED.map(([before, after, depth]) => nest(before, after, depth)),
  ...NESTED_CHEMISTRY.map(([before, after, depth]) => `\\ce{${nest(before, after, depth)}}`),
];

/** Formulas whose nesting Temml reads otherwise than their source suggests. */
const DISGUISED = [
  nest('\\llap{\\TextOrMath{}\u0300}{}', '}', 8),
  `\\pdv{f}{${nest('\\ll ap{', '}', 8)}}`,
  `\\expandafter\\set\\expandafter{\\tmspace{1em${nest('\\ll ap{', '}', 8)}}{}{}}`,
  '\\set{\\llap{\\|}x}}',
];

let target: Target;
let reviews: number[];
beforeAll(async () => {
  target = await Target.start({ LIMIT_PAGES: '0', TRUSTED_PROXIES: '1' });
  const book = await target.make.aBook();
  const texts = [
    DEFINED.repeat(27),
    Array.from({ length: 27 }, (_, at) => CHEMISTRY(at)).join(''),
    Array.from({ length: 50 }, (_, at) => LONG(at)).join(''),
  ];
  reviews = [];
  for (const text of texts) {
    const { id: user } = await target.make.aUser();
    const [row] = await target.opened.source.query<{ id: number }[]>(
      `INSERT INTO reviews (user_id, book_id, title, content, rating)
       VALUES ($1, $2, 'Formulas', $3, 5) RETURNING id::int AS id`,
      [user, book, text],
    );
    reviews.push(row?.id ?? 0);
  }
});
afterAll(() => target.close());

it('formulas of any content neither block the server nor make large pages', async () => {
  await target.attack('pages with expensive formulas', async () => {
    for (let view = 0; view < VIEWS; view += 1) {
      const pages = await Promise.all(
        reviews.map((id) =>
          fetch(`${target.origin}/review/${id}/`, { headers: { connection: 'close' } }),
        ),
      );
      for (const page of pages) {
        expect(page.status).toBe(200);
        expect((await page.text()).length).toBeLessThan(1_000_000);
      }
    }
  });
});

/** Paths of an annotation and a review with a text. */
async function pathsOf(content: string): Promise<string[]> {
  const annotation = await target.make.anAnnotation({ content });
  const [review] = await target.opened.source.query<{ id: string }[]>(
    `INSERT INTO reviews (user_id, book_id, title, content, rating)
     VALUES ($1, $2, 'Formulas', $3, 5) RETURNING id::text AS id`,
    [annotation.author_id, annotation.book_id, content],
  );
  return [`/book/annotation/${annotation.id}/`, `/review/${String(review?.id)}/`];
}

it('formulas that grow with each nested argument are shown as source', async () => {
  const texts = [...GROWING.map((formula) => [formula]), GROWING];
  const paths: string[][] = [];
  for (const formulas of texts) {
    const all = [...formulas, 'k^2'].map((formula) => `<tex>${formula}</tex>`);
    paths.push(await pathsOf(all.join(' ')));
  }
  await target.attack('pages with formulas that grow', async () => {
    for (const [at, ofText] of paths.entries()) {
      const pages = await Promise.all(
        ofText.map((path) =>
          fetch(`${target.origin}${path}`, { headers: { connection: 'close' } }),
        ),
      );
      for (const page of pages) {
        expect(page.status).toBe(200);
        const body = await page.text();
        expect(body.match(/<code class="tex">/g)).toHaveLength(texts[at]?.length ?? 0);
        expect(body).toMatch(/<math><msup><mi>k<\/mi>/);
      }
    }
  });
});

it('formulas that only seem not to be nested are shown as source', async () => {
  const all = [...DISGUISED, 'l^2'].map((formula) => `<tex>${formula}</tex>`);
  for (const path of await pathsOf(all.join(' '))) {
    const body = await (await fetch(`${target.origin}${path}`)).text();
    expect(body.match(/<code class="tex">/g)).toHaveLength(DISGUISED.length);
    expect(body).toMatch(/<math><msup><mi>l<\/mi>/);
  }
});

/** Fetches a page for a client behind the proxy. */
async function pageFor(address: string, path: string): Promise<string> {
  const headers = { connection: 'close', 'x-forwarded-for': address };
  const response = await fetch(`${target.origin}${path}`, { headers });
  expect(response.status).toBe(200);
  return response.text();
}

it('pages with new formulas show them while one address requests expensive ones', async () => {
  const nested = '\\cancelto{a}{'.repeat(3);
  const expensive = (text: number, at: number): string =>
    `<tex>${nested}${'x^2'.repeat(295)}+${text * 100 + at}}}}</tex>`;
  const texts = Array.from({ length: 8 }, (_, text) =>
    Array.from({ length: 100 }, (__, at) => expensive(text, at)).join(' '),
  );
  const attacked = (await Promise.all(texts.map(pathsOf))).flat();
  const formulas = Array.from({ length: 100 }, (_, at) => `<tex>m^{${at}}</tex>`);
  const [path = ''] = await pathsOf(formulas.join(' '));
  await target.attack('pages with expensive formulas from one address', async () => {
    const attack = new AbortController();
    const request = async (at: number): Promise<void> => {
      await pageFor('192.0.2.9', attacked[at % attacked.length] ?? '');
      if (!attack.signal.aborted) await request(at + 1);
    };
    const first = pageFor('192.0.2.9', attacked[0] ?? '');
    const requests = Array.from({ length: 40 }, (_, at) => request(at));
    await first;
    // Each view may render for a limited time, also of a slow machine.
    let shown = 0;
    for (let view = 0; view < 5 && shown < formulas.length; view += 1) {
      const body = await pageFor('192.0.2.1', path);
      shown = body.match(/<math><msup><mi>m<\/mi>/g)?.length ?? 0;
    }
    attack.abort();
    await Promise.all(requests);
    expect(shown).toBe(formulas.length);
  });
});
