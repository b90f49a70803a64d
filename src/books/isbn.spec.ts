import { bareIsbn, isbnForms } from './isbn';

describe('bareIsbn', () => {
  it.each([
    ['978-7-5366-9293-0', '9787536692930'],
    ['7 5366 9293 5', '7536692935'],
    ['0-8044-2957-x', '080442957X'],
  ])('of %s returns %s', (isbn, bare) => {
    expect(bareIsbn(isbn)).toBe(bare);
  });
});

describe('isbnForms', () => {
  it.each([
    ['9787536692930', ['9787536692930', '7536692935']],
    ['7536692935', ['7536692935', '9787536692930']],
    ['978-7-5366-9293-0', ['9787536692930', '7536692935']],
    ['080442957X', ['080442957X', '9780804429573']],
    ['080442957x', ['080442957X', '9780804429573']],
    ['9780804429573', ['9780804429573', '080442957X']],
    ['0306406152', ['0306406152', '9780306406157']],
    ['9791090636071', ['9791090636071']],
  ])('of %s returns the ISBN-10 and the ISBN-13', (isbn, forms) => {
    expect(isbnForms(isbn)).toEqual(forms);
  });

  it('accepts an ISBN with a wrong check digit, which some books have', () => {
    expect(isbnForms('9787536692931')).toEqual(['9787536692931']);
    expect(isbnForms('7536692930')[0]).toBe('7536692930');
  });

  it.each([
    '',
    'x',
    '123',
    '97875366929301',
    '978753669293X',
    '75366929X5',
    '１２３４５６７８９０',
    'a.b',
  ])('of "%s" returns no forms', (text) => {
    expect(isbnForms(text)).toEqual([]);
  });
});
