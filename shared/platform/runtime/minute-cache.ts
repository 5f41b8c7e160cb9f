import { nowMs } from './clock.ts';
import type { Dynamo } from './dynamo.ts';

const KEEP_MS = 60_000;
const MAX_KEPT = 10_000;

/** Keeps values of a table for a minute: one read per key, process and minute. A read that failed is not kept. */
export class MinuteCache<T> {
  readonly #tables = new WeakMap<Dynamo, Map<string, { value: Promise<T>; until: number }>>();

  get(dynamo: Dynamo, key: string, read: () => Promise<T>): Promise<T> {
    const kept = this.#of(dynamo);
    const known = kept.get(key);
    if (known && known.until > nowMs()) return known.value;
    const value = read();
    kept.delete(key); // keeps the map in the order of the reads
    kept.set(key, { value, until: nowMs() + KEEP_MS });
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    value.catch(() => kept.delete(key));
    return value;
  }

  forget(dynamo: Dynamo, key: string): void {
    this.#of(dynamo).delete(key);
  }

  #of(dynamo: Dynamo) {
    const kept = this.#tables.get(dynamo) ?? new Map<string, { value: Promise<T>; until: number }>();
    this.#tables.set(dynamo, kept);
    return kept;
  }
}
