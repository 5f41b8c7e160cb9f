import { signal } from '@preact/signals';
import type { Refused } from '../api/client.ts';
import { type Memory, refusedBy } from '../api/question.ts';
import { pageAsked, pageAt, positionIn, type ReadPage } from './page.ts';

/** A list of any length of which only the pages in view are read. The first page is asked for at once. */
export function makePages<T extends { id: string }>(memory: Memory<ReadPage<T>>, search: string) {
  const known = memory.last(pageAsked(search, 0));
  const rows = signal<ReadonlyMap<number, T>>(new Map(known?.data.entries()));
  const total = signal(known?.totalCount);
  const isTruncated = signal(known?.truncated ?? false);
  const readAt = signal(known?.readAt);
  const error = signal<Refused | undefined>(undefined);
  const asked = new Set<number>();
  let age = 0;

  async function ask(page: number): Promise<void> {
    if (asked.has(page)) return;
    asked.add(page);
    const own = age;
    try {
      const about = pageAsked(search, page);
      const answer = await memory.take(about);
      if (own !== age) return;
      if (page === 0) memory.keep(about, answer);
      const next = new Map(rows.value);
      for (const [n, row] of answer.data.entries()) next.set(positionIn(page, n), row);
      rows.value = next;
      total.value = answer.totalCount;
      isTruncated.value = answer.truncated ?? false;
      readAt.value = answer.readAt;
      error.value = undefined;
    } catch (thrown) {
      asked.delete(page);
      if (own === age) error.value = refusedBy(thrown);
    }
  }

  void ask(0);
  return {
    rows,
    total,
    /** The time of the data. */
    readAt,
    isTruncated,
    error,
    /** Reads the pages of these positions, unless they are there. */
    want(first: number, last: number): void {
      for (let page = pageAt(first); page <= pageAt(last); page++) void ask(page);
    },
    /** Reads the same pages anew; the old rows stay until then. */
    refresh(): void {
      const pages = [...asked];
      age += 1;
      asked.clear();
      for (const page of pages) void ask(page);
      if (pages.length === 0) void ask(0);
    },
    /** A row as it will be, before the service has answered. */
    replace(id: string, change: (row: T) => T): void {
      rows.value = new Map([...rows.value].map(([n, row]) => [n, row.id === id ? change(row) : row]));
    },
  };
}

export type Pages<T extends { id: string }> = ReturnType<typeof makePages<T>>;
