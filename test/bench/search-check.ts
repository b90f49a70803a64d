/** Substrings up to this length need not be in the first page, only in the result. */
const SHORT = 3;
const PAGE = 100;
const FIRST = 20;

interface Found {
  readonly total: number;
  readonly books: readonly { readonly title: string }[];
}

/** The result of searching for titles by their parts. */
export interface SearchCheck {
  /** Number of requests. */
  readonly requests: number;
  /** Parts whose result does not contain their title where it must. */
  readonly missed: readonly string[];
}

function* partsOf(title: string): Generator<string> {
  const characters = Array.from(title);
  for (let from = 0; from < characters.length; from += 1) {
    for (let to = from + 1; to <= characters.length; to += 1) {
      const part = characters.slice(from, to).join('').trim();
      if (part !== '') yield part;
    }
  }
}

/**
 * Searches for every title by each of its substrings: those of 4 characters and more must find it
 * among the first 20, shorter ones anywhere in the result.
 */
export async function checkSearch(origin: string, titles: readonly string[]): Promise<SearchCheck> {
  let requests = 0;
  const missed: string[] = [];
  const ask = async (q: string, start: number, count: number): Promise<Found> => {
    requests += 1;
    const query = `q=${encodeURIComponent(q)}&start=${start}&count=${count}&fields=title`;
    return (await (await fetch(`${origin}/v2/book/search?${query}`)).json()) as Found;
  };
  const finds = async (title: string, part: string): Promise<boolean> => {
    const long = Array.from(part).length > SHORT;
    for (let start = 0; ; start += PAGE) {
      const { total, books } = await ask(part, start, long ? FIRST : PAGE);
      if (books.some((book) => book.title === title)) return true;
      if (long || start + PAGE >= total) return false;
    }
  };
  const work = titles.flatMap((title) =>
    [...new Set(partsOf(title))].map((part) => [title, part] as const),
  );
  const worker = async (): Promise<void> => {
    for (let next = work.pop(); next; next = work.pop()) {
      if (!(await finds(...next))) missed.push(`${next[1]} of ${next[0]}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  return { requests, missed };
}
