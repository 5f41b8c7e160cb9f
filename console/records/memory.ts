import { effect } from '@preact/signals';
import { writes } from '../api/client.ts';
import { type Memory, makeMemory } from '../api/question.ts';
import type { RecordKind } from './kind.ts';
import { type Page, pageAsked, type ReadPage } from './page.ts';

/** The lists of a kind, each with its first page. */
const MOST_KEPT = 20;

/** A list that is opened again shows its last first page at once, until the page or a record changes. */
export function memoryOf<T extends { id: string }>(kind: RecordKind<T>): Memory<ReadPage<T>> {
  kind.memory ??= rememberedLists(kind.load);
  return kind.memory;
}

function rememberedLists<T>(load: (search: string) => Promise<Page<T>>): Memory<ReadPage<T>> {
  const memory = makeMemory(async (search) => ({ ...(await load(search)), readAt: Date.now() }), MOST_KEPT);
  effect(() => {
    if (writes.value > 0) memory.forget();
  });
  return memory;
}

/** Asks for the list of a screen before the screen opens. */
export const aheadOf =
  <T extends { id: string }>(kind: RecordKind<T>) =>
  (): void =>
    memoryOf(kind).ahead(pageAsked('', 0));
