import { usage } from '../errors.ts';

/** The largest page of a list. */
const PAGE_SIZE = 500;

type Answer = { data?: unknown } & Record<string, unknown>;

/** Every page of a list, whichever way the list is paged. @throws Failure for an answer that is no page */
export async function* pagesOf(first: URL, read: (url: URL) => Promise<unknown>): AsyncGenerator<readonly unknown[]> {
  for (let url: URL | undefined = first; url; ) {
    const answer: Answer = Object(await read(url));
    if (!Array.isArray(answer.data)) throw usage('This operation answers no list with pages.', 'Leave --all out.');
    yield answer.data;
    url = nextOf(url, answer, answer.data.length);
  }
}

/** The address of the page after an answer: by a position, or by what the answer names. */
function nextOf(url: URL, answer: Answer, count: number): URL | undefined {
  const { totalCount, next, more, cursor, isComplete } = answer;
  if (typeof totalCount === 'number') {
    const from = Number(url.searchParams.get('paginateFrom') ?? 0) + count;
    const size = url.searchParams.get('paginateSize') ?? PAGE_SIZE;
    return count > 0 && from < totalCount ? withParameters(url, { paginateFrom: from, paginateSize: size }) : undefined;
  }
  if (cursor && isComplete === false) return withParameters(url, { cursor: String(cursor) });
  if (next === null || next === undefined || more === false) return undefined;
  return withParameters(url, more === true ? { since: String(next) } : { before: String(next) });
}

function withParameters(url: URL, parameters: Record<string, string | number>): URL {
  const changed = new URL(url);
  for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, String(value));
  return changed;
}
