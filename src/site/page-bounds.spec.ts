import { MAX_NAME } from '../web/record-components';
import { boundedJson, boundedText, MAX_ADDRESS, MAX_ELEMENTS, MAX_TEXT } from './page-bounds';

const LONG = 'b '.repeat(500_000);

describe('boundedJson', () => {
  it('copies what is within the bounds', () => {
    const json = {
      title: '三体',
      author: ['刘慈欣'],
      images: { large: '/pictures/x.jpg' },
      rating: null,
      pages: 302,
      image: `https://cdn.test/${'a'.repeat(1500)}`,
      summary: 'a'.repeat(MAX_TEXT),
    };
    expect(boundedJson(json)).toEqual(json);
  });

  it('shortens names, texts, addresses and lists, also within others', () => {
    const { title, content, image, author, tags, book } = boundedJson({
      title: LONG,
      content: LONG,
      image: `https://cdn.test/${'a'.repeat(MAX_ADDRESS)}`,
      author: Array<string>(500).fill(LONG),
      tags: Array.from({ length: 500 }, () => ({ name: LONG })),
      book: { title: LONG },
    });
    expect(title.length).toBeLessThanOrEqual(MAX_NAME);
    expect(content).toHaveLength(MAX_TEXT + 1);
    expect(image).toBe('');
    expect(author).toHaveLength(MAX_ELEMENTS);
    expect(tags).toHaveLength(MAX_ELEMENTS);
    const names = [title, book.title, ...author, ...tags.map(({ name }) => name)];
    expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(MAX_NAME);
  });
});

it('boundedText does not cut a character in half', () => {
  expect(boundedText('a\u{1f600}b', 2)).toBe('a…');
});
