import type { AssetLink } from '#shared/assets/asset/asset-link.ts';
import { readUndoable, UNDO_KEPT_DAYS, type Undoable, undoRows, undoWrite } from '#shared/findings/bulk/undo-rows.ts';
import { derivedId, ordinalOf } from '#shared/platform/runtime/ids.ts';
import { type Write, writeRows } from '#shared/platform/table/io/commit.ts';
import { rowKey } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { StoredApplication } from '../applications/application.ts';
import type { Score } from '../applications/scores.ts';
import type { ApplicationAssetExclusion } from './application-exclusion.ts';
import type { StoredApplicationRule } from './application-rule.ts';

/** The undo log of a deleted application. */
type Kept = {
  application: StoredApplication;
  rules: StoredApplicationRule;
  exclusions: ApplicationAssetExclusion;
  /** A link that people made; `id` is that of the asset. */
  links: AssetLink & { id: string };
  scores: Score;
};
type Kind = keyof Kept;

const logOf = (applicationId: string, kind: Kind): string => derivedId(applicationId, 'deleted', kind);

const logWrite = (table: Table, taskId: string, [first, ...more]: readonly Undoable[]): Write[] =>
  first ? [undoWrite(table, { taskId, place: ordinalOf(first.id), days: UNDO_KEPT_DAYS }, [first, ...more])] : [];

/** Keeps a record that goes with its application, for the transaction that removes it. @param to about the removal */
export const keptWrite = <K extends Exclude<Kind, 'scores'>>(
  table: Table,
  place: { applicationId: string; kind: K },
  record: Kept[K],
  to: Undoable['to'] = {},
): Write[] => logWrite(table, logOf(place.applicationId, place.kind), [{ id: record.id, from: { ...record }, to }]);

/** The scores, which are one row of the log. */
export const keptScores = (table: Table, applicationId: string, scores: readonly Score[]): Write[] =>
  logWrite(
    table,
    logOf(applicationId, 'scores'),
    scores.map((score) => ({ id: applicationId, from: { ...score }, to: {} })),
  );

/** The records in the log of an application, each with `to`. */
export async function readKept<K extends Kind>(table: Table, applicationId: string, kind: K) {
  const kept = await readUndoable(table, logOf(applicationId, kind));
  return kept.map(({ from, to }) => ({ record: from as Kept[K], to }));
}

/** For the transaction that brings the application back, once. */
export const unkeptWrite = ({ tenant }: Table, applicationId: string): Write => ({
  remove: rowKey(tenant, undoRows, { taskId: logOf(applicationId, 'application'), place: ordinalOf(applicationId) }),
});

/** Empties the log of an application that is back. */
export async function forgetKept(table: Table, applicationId: string): Promise<void> {
  for (const kind of ['rules', 'exclusions', 'links', 'scores'] as const) {
    const rows = await table.rows(undoRows).query(logOf(applicationId, kind), { consistent: true });
    await writeRows(table.dynamo, { remove: rows.map((row) => rowKey(table.tenant, undoRows, row)) });
  }
}
