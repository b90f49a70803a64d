import { Annotation, Book, Collection, OwnReview, Review } from './books.resources';

const CONTEXT = {
  baseUrl: 'http://api.test',
  webUrl: 'http://web.test',
  sign: (path: string) => `${path}?signed`,
};
const BOOK = { id: '7', num_raters: 3, average: '8.8' };
const ANNOTATION = {
  id: '5',
  private: false,
  content: '',
  photos: {},
  book: BOOK,
  author_user: {},
};
const book = (more: object) => Book.compile('basic')({ ...BOOK, ...more }, CONTEXT);
const annotation = (more: object) =>
  Annotation.compile('basic')({ ...ANNOTATION, author_user: { uid: 'a' }, ...more }, CONTEXT);

describe('Book (specification section 2.1)', () => {
  it('writes url and alt (D11)', () => {
    expect(book({})).toMatchObject({
      url: 'http://api.test/v2/book/7',
      alt: 'http://web.test/book/7/',
    });
  });

  it('writes absolute cover addresses; image equals images.medium', () => {
    const written = book({ image_medium: '/p/m.jpg', image_small: 'https://cdn.test/s.jpg' });
    expect(written.image).toBe('http://api.test/p/m.jpg');
    expect(written.images).toMatchObject({
      small: 'https://cdn.test/s.jpg',
      medium: 'http://api.test/p/m.jpg',
    });
  });

  it('writes the rating on a scale of 10 (D20)', () => {
    expect(book({}).rating).toEqual({ max: 10, min: 0, numRaters: 3, average: '8.8' });
  });

  it('writes ebook_url and ebook_price only when there is an e-book', () => {
    expect(book({ ebook_url: 'https://read.test/7', ebook_price: '' })).toMatchObject({
      ebook_url: 'https://read.test/7',
      ebook_price: '',
    });
  });
});

describe('ratings (D20)', () => {
  it.each([
    [null, '0'],
    [1, '1'],
    [5, '5'],
  ])('writes %s as the text "%s"', (rating, value) => {
    const row = { id: '3', status: 'read', rating, book: BOOK, author: { uid: 'a' }, content: '' };
    expect(Collection.compile('basic')(row, CONTEXT).rating).toEqual({ max: 5, min: 0, value });
    expect(Review.compile('basic')(row, CONTEXT).rating).toEqual({ max: 5, min: 1, value });
  });
});

describe('Annotation (specification section 2.5, D24)', () => {
  it.each([
    [true, 1],
    [false, 2],
  ])('writes private %s as %i', (hidden, privacy) => {
    expect(annotation({ private: hidden }).privacy).toBe(privacy);
  });

  it('writes the first 100 characters of the plain text as abstract', () => {
    const content = `<图片1> ${'\u{1f4da}'.repeat(150)}`;
    expect(annotation({ content }).abstract).toBe('\u{1f4da}'.repeat(100));
  });

  it('writes its content as text, or as HTML with format=html', () => {
    const content = 'a<b<图片1>';
    const photos = { 1: '/p/1.jpg' };
    expect(annotation({ content, photos }).content).toBe(content);
    expect(annotation({ content, photos, html: true }).content).toBe(
      'a&lt;b<img src="http://api.test/p/1.jpg" alt="">',
    );
  });

  it('writes the absolute address of each picture', () => {
    const photos = { 1: '/p/1.jpg', 2: 'https://cdn.test/2.jpg' };
    expect(annotation({ photos, last_photo: 2 })).toMatchObject({
      abstract_photo: 'http://api.test/p/1.jpg',
      photos: { 1: 'http://api.test/p/1.jpg', 2: 'https://cdn.test/2.jpg' },
      last_photo: 2,
    });
  });

  it.each([
    ['<tex>x</tex>', true],
    ['<tex>x', false],
    ['tex', false],
  ])('with %s has hasmath %s', (content, hasmath) => {
    expect(annotation({ content }).hasmath).toBe(hasmath);
  });
});

describe('Review (specification section 2.2, D26)', () => {
  const row = { id: '9', content: '书'.repeat(151), book: BOOK, author: { uid: 'a' } };

  it('writes an excerpt for other readers and the full text for its author', () => {
    const others = Review.compile('basic')(row, CONTEXT);
    expect(others.summary).toBe('书'.repeat(100));
    expect(others).not.toHaveProperty('content');
    const own = OwnReview.compile('basic')(row, CONTEXT);
    expect(own.content).toBe(row.content);
    expect(own).not.toHaveProperty('summary');
  });
});
