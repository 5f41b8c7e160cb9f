import { signal } from '@preact/signals';
import type { Column } from './kind.ts';

const keyOf = (name: string): string => `columns.${name}`;

function stored(name: string): ReadonlySet<string> {
  const text = localStorage.getItem(keyOf(name));
  return new Set(text ? text.split(',') : []);
}

/** The columns that the person has hidden on a page of records, on this device. */
export function makeHidden(name: string) {
  const hidden = signal(stored(name));
  return {
    hidden,
    toggle(column: string): void {
      const next = new Set(hidden.value);
      if (!next.delete(column)) next.add(column);
      hidden.value = next;
      if (next.size === 0) localStorage.removeItem(keyOf(name));
      else localStorage.setItem(keyOf(name), [...next].join(','));
    },
    /** The title stays: without it a row names no record. */
    of: <T>(columns: readonly Column<T>[]): readonly Column<T>[] =>
      columns.filter((column) => column.name === 'title' || !hidden.value.has(column.name)),
  };
}

export type Hidden = ReturnType<typeof makeHidden>;
