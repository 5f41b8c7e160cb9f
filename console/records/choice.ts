import { computed, signal } from '@preact/signals';

/** The chosen records: some by their ids, or all that fit the filter. */
export function makeChoice() {
  const ids = signal<ReadonlySet<string>>(new Set());
  const isAll = signal(false);
  return {
    ids,
    isAll,
    isAny: computed(() => isAll.value || ids.value.size > 0),
    toggle(id: string): void {
      const next = new Set(ids.value);
      if (!next.delete(id)) next.add(id);
      ids.value = next;
      isAll.value = false;
    },
    all(): void {
      isAll.value = true;
      ids.value = new Set();
    },
    none(): void {
      isAll.value = false;
      ids.value = new Set();
    },
  };
}

export type Choice = ReturnType<typeof makeChoice>;
