import { ApiError } from '../errors/error-codes';
import { EnumParam, readInput, Text, IntegerParam } from './input';
import { Instant } from './time-params';

class Parent {
  @Text({ required: 'titleMissing' })
  title: string;
}

class Input extends Parent {
  @Text({ min: 3, max: 5, error: 'commentTooLong', required: true })
  comment: string;

  @IntegerParam({ min: 1, max: 5 })
  rating?: number;

  @EnumParam(['wish', 'read'], { aliases: { done: 'read' } })
  status: string = 'wish';

  @Instant()
  from?: Date;
}

const GOOD = { title: 't', comment: 'good' };
const errorOf = (input: unknown): string => {
  try {
    readInput(Input, input);
  } catch (error) {
    if (error instanceof ApiError) return error.error;
    throw error;
  }
  return 'none';
};

describe('readInput', () => {
  it('reads parameters, and uses the defaults of absent ones', () => {
    expect({ ...readInput(Input, GOOD) }).toEqual({ ...GOOD, status: 'wish' });
    const more = { rating: '5', status: 'done', from: '2013-12-25T14:09:04Z' };
    expect(readInput(Input, { ...GOOD, ...more })).toMatchObject({
      rating: 5,
      status: 'read',
      from: new Date('2013-12-25T14:09:04Z'),
    });
  });

  it('returns an instance of the class, also for an object without a prototype', () => {
    const bare = Object.assign(Object.create(null) as object, GOOD);
    expect(readInput(Input, bare)).toBeInstanceOf(Input);
  });

  it('ignores unknown parameters (D8)', () => {
    const more = JSON.parse('{"other": 1, "__proto__": {"rating": 1}, "constructor": 2}') as object;
    expect({ ...readInput(Input, { ...GOOD, ...more }) }).toEqual({ ...GOOD, status: 'wish' });
  });

  it.each([undefined, null, ''])('treats %j as absent (D5)', (value) => {
    expect(errorOf({ ...GOOD, title: value })).toBe('titleMissing');
    expect(errorOf({ ...GOOD, comment: value })).toBe('missingArgs');
    expect({ ...readInput(Input, { ...GOOD, rating: value, status: value }) }).toEqual({
      ...GOOD,
      status: 'wish',
    });
  });

  it.each([
    ['comment', 'no', 'commentTooLong'],
    ['comment', 'too long', 'commentTooLong'],
    // Values that no form can send are malformed. The error does not mention the length of the
    // comment.
    ['comment', ['good'], 'unknown'],
    ['comment', { a: 1 }, 'unknown'],
    ['comment', { constructor: 1, toString: 1, valueOf: 1 }, 'unknown'],
    ['comment', JSON.parse('{"__proto__":{"constructor":1}}') as unknown, 'unknown'],
    ['rating', [{ constructor: 1 }], 'unknown'],
    // JSON has rounded it already.
    ['comment', 2 ** 53 + 2, 'commentTooLong'],
    ['comment', Infinity, 'commentTooLong'],
    ['rating', '6', 'unknown'],
    ['rating', '0', 'unknown'],
    ['rating', 2.5, 'unknown'],
    ['rating', 'NaN', 'unknown'],
    ['rating', [1], 'unknown'],
    ['status', 'done ', 'none'],
    ['status', 'WISH', 'unknown'],
    ['status', 'toString', 'unknown'],
    ['from', '2013', 'unknown'],
  ])('%s=%j fails with %s', (name, value, error) => {
    expect(errorOf({ ...GOOD, [name]: value })).toBe(error);
  });

  it.each([
    ['rating', 5, 5],
    ['comment', 12345, '12345'],
    ['comment', true, 'true'],
  ])('%s accepts the JSON value %j', (name, value, read) => {
    expect(readInput(Input, { ...GOOD, [name]: value })).toMatchObject({ [name]: read });
  });
});
