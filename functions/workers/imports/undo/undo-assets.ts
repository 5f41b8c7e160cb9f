import { isDeepStrictEqual } from 'node:util';
import { type Asset, assetFields, assets, seenAt } from '#shared/assets/asset/asset.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import { deleteAsset } from '#shared/exposure/asset-actions/delete.ts';
import { branches } from '#shared/findings/branches/branch.ts';
import { untouchedFields } from '#shared/findings/finding/assets.ts';
import { FINDING_COLLECTIONS } from '#shared/findings/view/find.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import { fieldsWhere } from '#shared/platform/table/field-table.ts';
import { commitMany } from '#shared/platform/table/many.ts';
import { ordinalsOf, wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Noted, readNoted } from '../undo-log.ts';
import type { Undo } from './undo.ts';

type Import = Pick<Undo, 'table' | 'connections' | 'taskId' | 'at'>;
type Count = { deleted: number; kept: number };

const AT_ONCE = 20;

/**
 * Deletes the assets that an import made, where nothing but the import says anything about them. Its findings are gone by now. A scan that saw
 * such an asset within a day of the import and found nothing has left no trace; its next finding makes the asset anew.
 */
export async function undoAssets(undone: Import): Promise<Count> {
  const { table, taskId } = undone;
  const made = await ordinalsOf(table, assets, { where: { import: taskId } });
  const notes = made.length > 0 ? await readNoted(undone, (files) => files.told) : [];
  const facts = new Map(notes.map((note) => [note.id, note.facts]));
  let deleted = 0;
  for (const ordinals of chunksOf(made, AT_ONCE))
    deleted += await retry(() => removeUnused(undone, ordinals, facts), isConflict);
  return { deleted, kept: made.length - deleted };
}

type Facts = ReadonlyMap<string, Noted['facts']>;

async function removeUnused(
  { table, connections, at }: Import,
  ordinals: readonly number[],
  facts: Facts,
): Promise<number> {
  const current = await wholeRecordsAt(table, assets, { ordinals, consistent: true });
  const untouched = current.filter((asset) => isUntouched(asset, at, facts.get(asset.id) ?? {}));
  const used = await those(untouched, (where) => isUsed(table, where));
  const unused = untouched.filter(({ id }) => !used.has(id));
  const onBranches = await those(unused, (where) => hasBranch(table, where));
  // the task of such a deletion ends the branches
  for (const id of onBranches) await deleteAsset({ connections, table }, id);
  const alone = unused.filter(({ id }) => !onBranches.has(id));
  await commitMany(table.batch, alone, (batch, asset) => batch.delete(assets, asset));
  return unused.length;
}

/**
 * Nothing has seen the asset since, no other source reports it, and no person has changed it.
 * @param facts the fields that the report of the import gave it
 */
function isUntouched(asset: Asset, at: string, facts: Partial<Asset>): boolean {
  const made: Partial<Asset> = { ...untouchedFields(asset), ...facts };
  const isAsMade = SAID_BY_PEOPLE.every((name) => isDeepStrictEqual(saidIn(asset[name]), saidIn(made[name])));
  return seenAt(asset) === at && isAsMade && STATEMENTS.every((name) => saidIn(asset[name]) === undefined);
}

const SAID_BY_PEOPLE = fieldsWhere(assetFields, 'saidBy', 'person');
const STATEMENTS = fieldsWhere(assetFields, 'saidBy', 'source');

/** The value without its empty parts: an empty list of tags says as much as none. */
function saidIn(value: unknown): unknown {
  if (value === null || value === undefined || typeof value !== 'object') return value ?? undefined;
  if (Array.isArray(value)) return value.length > 0 ? value : undefined;
  const said = Object.entries(value).flatMap(([name, inner]) => {
    const part = saidIn(inner);
    return part === undefined ? [] : [[name, part]];
  });
  return said.length > 0 ? Object.fromEntries(said) : undefined;
}

type Of = { asset: readonly string[] };

async function isUsed(table: Table, where: Of): Promise<boolean> {
  const all = [...FINDING_COLLECTIONS.map((entity) => ordinalsOf(table, entity, { where }))];
  return (await Promise.all([...all, ordinalsOf(table, repositories, { where })])).flat().length > 0;
}

const hasBranch = async (table: Table, where: Of): Promise<boolean> =>
  (await ordinalsOf(table, branches, { where })).length > 0;

/** The assets of which that is true. Most often it is of none: one question for all finds that out. */
async function those(some: readonly Asset[], isTrueOf: (where: Of) => Promise<boolean>): Promise<Set<string>> {
  const ids = some.map(({ id }) => id);
  const found = new Set<string>();
  if (ids.length > 0 && (await isTrueOf({ asset: ids })))
    for (const id of ids) if (await isTrueOf({ asset: [id] })) found.add(id);
  return found;
}
