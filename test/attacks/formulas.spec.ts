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

let target: Target;
let reviews: number[];
beforeAll(async () => {
  target = await Target.start({ LIMIT_PAGES: '0' });
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
