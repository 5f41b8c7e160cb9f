import { newId } from '#shared/platform/runtime/ids.ts';
import type { Actor } from '#shared/platform/table/actor.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';

export const ENTRY_KINDS = ['note', 'changed', 'alert_added', 'alert_removed', 'response_action'] as const;

/** One line of the timeline of an alert or an incident. No entry is ever changed or removed. */
type TimelineEntry = {
  id: string;
  at: string;
  by: Actor;
  kind: (typeof ENTRY_KINDS)[number];
  /** The words of a note, or the reason of a change. */
  text?: string | undefined;
  changes?: Record<string, { from: unknown; to: unknown }>;
  alertId?: string;
  responseActionId?: string;
  /** The task that made the change together with changes of many other alerts. */
  taskId?: string | undefined;
};

type EntryRow = TimelineEntry & { subjectId: string };

export const timelineEntries = defineRow<EntryRow, Pick<EntryRow, 'subjectId' | 'id'>>({
  name: 'soc-entry',
  about: 'one line of the timeline of an alert or an incident',
  key: ({ subjectId, id }) => [subjectId, id],
});

type NewEntry = Omit<TimelineEntry, 'id' | 'by'>;

/** For the transaction that makes the change. */
export const entryWrite = (table: Pick<Table, 'tenant' | 'actor'>, subjectId: string, entry: NewEntry): Write =>
  putWrite(table.tenant, timelineEntries, { row: { ...entry, subjectId, id: newId(), by: table.actor } });

const MAX_ENTRIES = 500;

/** The newest entries of an alert or an incident, or the entries before a given one. @throws not_found */
export async function readTimeline<T extends Stored, D extends keyof T>(
  table: Table,
  { entity, id: subjectId }: { entity: Entity<T, D>; id: string },
  before?: string,
): Promise<TimelineEntry[]> {
  await table.get(entity, subjectId);
  const rows = await table.rows(timelineEntries).query(subjectId, {
    ...(before && { between: { from: '0', to: before } }),
    limit: MAX_ENTRIES + 1,
    backward: true,
  });
  const shown = rows.filter(({ id }) => id !== before).slice(0, MAX_ENTRIES);
  return shown.map(({ subjectId: _subjectId, ...entry }) => entry);
}

/** Adds a person's note. */
export async function addNote(
  table: Table,
  subjectId: string,
  { at, text }: { at: string; text: string },
): Promise<TimelineEntry> {
  const entry: TimelineEntry = { id: newId(), at, by: table.actor, kind: 'note', text };
  await table.rows(timelineEntries).put({ ...entry, subjectId });
  return entry;
}
