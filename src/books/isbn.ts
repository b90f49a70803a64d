const ZERO = 48;

/** Last digit of an ISBN-10, from its first nine. */
function check10(nine: string): string {
  let sum = 0;
  for (let at = 0; at < 9; at += 1) sum += (nine.charCodeAt(at) - ZERO) * (10 - at);
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? 'X' : String(check);
}

/** Last digit of an ISBN-13, from its first twelve. */
function check13(twelve: string): string {
  let sum = 0;
  for (let at = 0; at < 12; at += 1) {
    sum += (twelve.charCodeAt(at) - ZERO) * (at % 2 === 0 ? 1 : 3);
  }
  return String((10 - (sum % 10)) % 10);
}

/** An ISBN without hyphens and spaces, its `x` in upper case. */
export const bareIsbn = (isbn: string): string => isbn.replace(/[-\s]/g, '').toUpperCase();

/**
 * An ISBN and its other form, so that both find the book: 10 digits as 13 with prefix 978, and vice
 * versa. Empty when the text is not an ISBN. An ISBN with a wrong check digit has no other form:
 * such books exist, but a mistyped ISBN must not find another book.
 */
export function isbnForms(text: string): string[] {
  const isbn = bareIsbn(text);
  if (/^\d{9}[\dX]$/.test(isbn)) {
    const nine = isbn.slice(0, 9);
    const twelve = `978${nine}`;
    return check10(nine) === isbn[9] ? [isbn, twelve + check13(twelve)] : [isbn];
  }
  if (!/^\d{13}$/.test(isbn)) return [];
  const twelve = isbn.slice(0, 12);
  const nine = isbn.slice(3, 12);
  const hasOther = isbn.startsWith('978') && check13(twelve) === isbn[12];
  return hasOther ? [isbn, nine + check10(nine)] : [isbn];
}
