import { signal } from '@preact/signals';
import type { Refused } from '../api/client.ts';
import { refusedBy } from '../api/question.ts';

export type Page<T> = { data: T[]; totalCount: number; truncated?: true | undefined };
type LoadPage<T> = (range: { from: number; size: number }) => Promise<Page<T>>;

const PAGE_SIZE = 100;

/** A list of any length of which only the pages in view are read. */
export function makePages<T extends { id: string }>(load: LoadPage<T>) {
  const rows = signal<ReadonlyMap<number, T>>(new Map());
  const total = signal<number | undefined>(undefined);
  const isTruncated = signal(false);
  const readAt = signal<number | undefined>(undefined);
  const error = signal<Refused | undefined>(undefined);
  const asked = new Set<number>();
  let age = 0;

  async function ask(page: number): Promise<void> {
    if (asked.has(page)) return;
    asked.add(page);
    const own = age;
    try {
      const answer = await load({ from: page * PAGE_SIZE, size: PAGE_SIZE });
      if (own !== age) return;
      const next = new Map(rows.value);
      for (const [n, row] of answer.data.entries()) next.set(page * PAGE_SIZE + n, row);
      rows.value = next;
      total.value = answer.totalCount;
      isTruncated.value = answer.truncated ?? false;
      readAt.value = Date.now();
      error.value = undefined;
    } catch (thrown) {
      asked.delete(page);
      if (own === age) error.value = refusedBy(thrown);
    }
  }

  return {
    rows,
    total,
    /** The time of the data. */
    readAt,
    isTruncated,
    error,
    /** Reads the pages of these positions, unless they are there. */
    want(first: number, last: number): void {
      for (let page = Math.floor(first / PAGE_SIZE); page <= Math.floor(last / PAGE_SIZE); page++) void ask(page);
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
