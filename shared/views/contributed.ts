import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { eachAtOnce } from '../runtime/chunks.ts';
import { Overtaken } from '../runtime/errors.ts';
import { newId, ordinalOf } from '../runtime/ids.ts';
import type { Write } from '../table/io/commit.ts';
import { condition, defineRow, putWrite, rowKey } from '../table/io/row.ts';
import { ordinalText, PARTITION } from '../table/layout/keys.ts';
import type { Table } from '../table/table.ts';

/** The record whose contribution to a view a row keeps. */
type Contributor = { view: string; entity: string; id: string };

type ContributedRow = Contributor & {
  /** Made anew with each write, so that a row that was removed and made again is another one. */
  mark: string;
  /** Key -> facts, as JSON, deflated. */
  z: Uint8Array;
};

const blockOf = (ordinal: number): number => Math.floor(ordinal / PARTITION);
const partitionOf = ({ view, entity }: Omit<Contributor, 'id'>, block: number): string => `${view} ${entity} ${block}`;

export const contributedRows = defineRow<ContributedRow, Contributor>({
  name: 'contributed',
  about:
    'what a record contributed last to the targets of a view, deflated; a record without a row contributes nothing',
  key: (of) => [partitionOf(of, blockOf(ordinalOf(of.id))), `${ordinalText(ordinalOf(of.id))}#${of.id}`],
});

/** The last contribution of a record; `mark` undefined: it has no row. */
export type Contributed<F = unknown> = Contributor & { mark: string | undefined; facts: ReadonlyMap<string, F> };

const factsIn = ({ z }: ContributedRow) => new Map(Object.entries(JSON.parse(inflateRawSync(z).toString())));

/** In the order of the records, also of those without a row. */
export async function readContributed(table: Table, of: readonly Contributor[]): Promise<Contributed[]> {
  const rows = await table.rows(contributedRows).findMany(of, true);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return of.map((one) => {
    const row = byId.get(one.id);
    return { ...one, mark: row?.mark, facts: row ? factsIn(row) : new Map() };
  });
}

/** The records between two ordinals that contributed something, those that are gone included. */
export async function contributorsBetween(
  table: Table,
  of: Omit<Contributor, 'id'>,
  { from, to }: { from: number; to: number },
): Promise<string[]> {
  const between = { from: ordinalText(from), to: `${ordinalText(to)}~` };
  const blocks = Array.from({ length: blockOf(to) - blockOf(from) + 1 }, (_, n) => blockOf(from) + n);
  const rows = await eachAtOnce(blocks, 8, (block) =>
    table.rows(contributedRows).query(partitionOf(of, block), { between, consistent: true }),
  );
  return rows.flat().map(({ id }) => id);
}

/** Replaces what a record contributed, on condition that nobody else did. */
export function contributedWrite(
  { scope }: Table,
  { mark, facts: _facts, ...of }: Contributed,
  facts: ReadonlyMap<string, unknown>,
): { write: Write; next: Contributed } {
  const fail = () => new Overtaken();
  if (facts.size === 0) {
    const held = mark === undefined ? undefined : condition({ mark });
    const write = { remove: rowKey(scope, contributedRows, of), condition: held, fail };
    return { write, next: { ...of, mark: undefined, facts } };
  }
  const expect = mark === undefined ? ('absent' as const) : { mark };
  const row = { ...of, mark: newId(), z: deflateRawSync(JSON.stringify(Object.fromEntries(facts))) };
  return { write: putWrite(scope, contributedRows, { row, expect, fail }), next: { ...of, mark: row.mark, facts } };
}
