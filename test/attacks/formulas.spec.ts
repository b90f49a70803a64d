import { atScale } from '../figures';
import { Target } from './target';

/** A short formula whose definition makes it 50,000 characters long. */
const DEFINED = `<tex>\\def\\a{${'x^2'.repeat(550)}}${'\\a'.repeat(95)}</tex>`;
const CHEMISTRY = (at: number): string => `<tex>\\ce{${'1/2'.repeat(600)}${at}}</tex>`;
const LONG = (at: number): string => `<tex>${'x^2'.repeat(320)}+${at}</tex>`;
const VIEWS = atScale(100, 10);

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
