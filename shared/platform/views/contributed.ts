import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { eachAtOnce } from '../runtime/chunks.ts';
import { Overtaken } from '../runtime/errors.ts';
import { newId, ordinalOf } from '../runtime/ids.ts';
import type { Write } from '../table/io/commit.ts';
import { runsIn } from '../table/io/dense.ts';
import { condition, defineRow, putWrite, rowKey } from '../table/io/row.ts';
import { SMALL } from '../table/layout/content.ts';
import { ordinalText, PARTITION } from '../table/layout/keys.ts';
import type { Table } from '../table/table.ts';

/** The record whose contributions a row holds. */
type Contributor = { entity: string; id: string };

type ContributedRow = Contributor & {
  /** Renewed with each write, so that a row that was removed and made again has another mark. */
  mark: string;
  /** Place -> facts, as JSON, deflated. */
  z: Uint8Array;
};

const blockOf = (ordinal: number): number => Math.floor(ordinal / PARTITION);
const partitionOf = (entity: string, block: number): string => `${entity} ${block}`;

export const contributedRows = defineRow<ContributedRow, Contributor>({
  name: 'contributed',
  about:
    'what a record contributed last to the targets of all views, deflated; a record without a row contributes nothing',
  key: ({ entity, id }) => [partitionOf(entity, blockOf(ordinalOf(id))), `${ordinalText(ordinalOf(id))}#${id}`],
});

/** The last contributions of a record by their places; `mark` undefined: it has no row. */
export type Contributed = Contributor & { mark: string | undefined; facts: ReadonlyMap<string, unknown> };

/** The place of a contribution: a view and the key of a target. */
export const placeOf = (view: string, key: string): string => `${view} ${key}`;

/** The keys under which a record contributed to a view. */
export const keysIn = ({ facts }: Contributed, view: string): string[] =>
  [...facts.keys()].filter((place) => place.startsWith(`${view} `)).map((place) => place.slice(view.length + 1));

const factsIn = ({ z }: ContributedRow) => new Map(Object.entries(JSON.parse(inflateRawSync(z).toString())));

/** Rows are short, and most records have none: reading over a gap costs less than a read of its own. */
const SPARSE = 12;

/** In the order of the records, also for records without a row. */
export async function readContributed(table: Table, entity: string, ids: readonly string[]): Promise<Contributed[]> {
  const { runs, alone } = runsIn(ids.map(ordinalOf), SPARSE);
  const single = new Set(alone);
  const singles = ids.filter((id) => single.has(ordinalOf(id))).map((id) => ({ entity, id }));
  const [one, ...more] = await Promise.all([
    table.rows(contributedRows).findMany(singles, true),
    ...runs.map((run) => rowsBetween(table, entity, run)),
  ]);
  const byId = new Map([...one, ...more.flat()].map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    return { entity, id, mark: row?.mark, facts: row ? factsIn(row) : new Map() };
  });
}

type Between = { from: number; to: number };

/** The rows between two ordinals of one partition. */
const rowsBetween = (table: Table, entity: string, { from, to }: Between): Promise<ContributedRow[]> =>
  table.rows(contributedRows).query(partitionOf(entity, blockOf(from)), {
    between: { from: ordinalText(from), to: `${ordinalText(to)}~` },
    consistent: true,
  });

/** The records between two ordinals with contributions, also deleted ones. */
export async function contributorsBetween(table: Table, entity: string, { from, to }: Between): Promise<string[]> {
  const blocks = Array.from({ length: blockOf(to) - blockOf(from) + 1 }, (_, n) => blockOf(from) + n);
  const rows = await eachAtOnce(blocks, 8, (block) => {
    const [first, last] = [block * PARTITION, (block + 1) * PARTITION - 1];
    return rowsBetween(table, entity, { from: Math.max(from, first), to: Math.min(to, last) });
  });
  return rows.flat().map(({ id }) => id);
}

/** Replaces a record's contributions, if nobody else replaced them. */
export function contributedWrite(
  { tenant }: Table,
  { mark, facts: _facts, ...of }: Contributed,
  facts: ReadonlyMap<string, unknown>,
): { write: Write; next: Contributed } {
  const fail = () => new Overtaken();
  if (facts.size === 0) {
    const held = mark === undefined ? undefined : condition({ mark });
    const write = { remove: rowKey(tenant, contributedRows, of), condition: held, fail };
    return { write, next: { ...of, mark: undefined, facts } };
  }
  const expect = mark === undefined ? ('absent' as const) : { mark };
  const row = { ...of, mark: newId(), z: deflateRawSync(JSON.stringify(Object.fromEntries(facts)), SMALL) };
  return { write: putWrite(tenant, contributedRows, { row, expect, fail }), next: { ...of, mark: row.mark, facts } };
}
