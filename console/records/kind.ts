import type { ComponentChildren, ComponentType } from 'preact';
import type { Memory } from '../api/question.ts';
import type { FeedEntity } from '../api/types.ts';
import type { Entity } from '../filter/suggestions.ts';
import type { IconName } from '../parts/icon.tsx';
import type { Choice } from './choice.ts';
import type { ExportKind } from './export.ts';
import type { Page, ReadPage } from './page.ts';

export type Column<T> = {
  name: string;
  label: string;
  cell: (row: T) => ComponentChildren;
  /** A track of the grid; the column of titles takes what the others leave. */
  width?: string;
  /**
   * Where a column is when the screen is narrow: `phone` and `named` are on every screen, `wide` only on a wide one. A phone shows the
   * label of `named` before a value that does not say what it is.
   */
  shown?: 'phone' | 'named' | 'wide';
};

export type DrawerProps = { id: string; close: () => void; changed: () => void };

/** The selection of a change of many: the chosen ids, or the parameters of the page. */
export type BulkProps = { choice: Choice; search: string; total: number; changed: () => void };

/** A parameter of the list that a person chooses from its values. */
type Facet = { name: string; label: string; values: readonly { value: string; label: string }[] };

/** A kind of records with the page that lists them. */
export type RecordKind<T extends { id: string }> = {
  name: string;
  /** The records of the filter language; without them the page has no filter. */
  entity?: Entity;
  /** The records of the change feed: the page follows their changes. */
  feed?: FeedEntity;
  /** The page of records that the feed lacks asks again after this time. */
  everyMs?: number;
  /** The list in the API, which the page copies as a command. */
  path: string;
  icon: IconName;
  title: string;
  words: { one: string; many: string; empty: string; emptyHint: string; filterHint?: string };
  /** Where the first records come from; an empty list leads there. */
  start?: { path: string; label: string };
  orders?: readonly { value: string; label: string }[];
  facets?: readonly Facet[];
  columns: readonly Column<T>[];
  titleOf: (row: T) => string;
  load: (search: string) => Promise<Page<T>>;
  /** The last answers of `load`, from the first use on. */
  memory?: Memory<ReadPage<T>>;
  Drawer: ComponentType<DrawerProps>;
  Bulk?: ComponentType<BulkProps>;
  file?: ExportKind;
  /** Above the list; it shows these parameters of the address itself. */
  Lead?: ComponentType;
  shownBy?: readonly string[];
};
