import type { ComponentChildren, ComponentType } from 'preact';
import type { Entity } from '../filter/suggestions.ts';
import type { IconName } from '../parts/icon.tsx';
import type { Choice } from './choice.ts';
import type { Page } from './pages.ts';

type Column<T> = { name: string; label: string; cell: (row: T) => ComponentChildren };

export type DrawerProps = { id: string; close: () => void; changed: () => void };

/** The selection of a change of many: the chosen ids, or the parameters of the page. */
export type BulkProps = { choice: Choice; search: string; total: number; changed: () => void };

/** A kind of records with the page that lists them. */
export type RecordKind<T extends { id: string }> = {
  entity: Entity;
  icon: IconName;
  title: string;
  words: { one: string; many: string; empty: string; emptyHint: string; filterHint: string };
  orders: readonly { value: string; label: string }[];
  columns: readonly Column<T>[];
  titleOf: (row: T) => string;
  load: (search: string) => Promise<Page<T>>;
  Drawer: ComponentType<DrawerProps>;
  Bulk?: ComponentType<BulkProps>;
};
