import { HostError } from './host-error.ts';

/** The most entries of a page: as many as this service asks for, and as the hosts have at most. */
export const PAGE_SIZE = 100;

type Page = { next: string | undefined };
type Extent = { from?: string | undefined; most: number };

/**
 * The pages of a list of another host, one after the other: to its end, or up to a number of pages.
 * @throws HostError where a page names an earlier page as the next one
 */
export async function* pagesOf<P extends Page>(
  ask: (next: string | undefined) => Promise<P>,
  { from, most }: Extent,
): AsyncGenerator<P, void> {
  const asked = new Set([from]);
  for (let next = from; asked.size <= most; ) {
    const page = await ask(next);
    next = page.next;
    if (next !== undefined && asked.has(next))
      throw new HostError('unexpected_answer', 'Its list has no end: a page names an earlier one as the next.');
    yield page;
    if (next === undefined) return;
    asked.add(next);
  }
}

/** The entries of a page. @throws HostError where they are more than were asked for: memory is bounded by a page */
export function entriesOf(listed: readonly unknown[]): readonly unknown[] {
  if (listed.length > PAGE_SIZE)
    throw new HostError('unexpected_answer', `Its page has ${listed.length} entries, and ${PAGE_SIZE} were asked for.`);
  return listed;
}
