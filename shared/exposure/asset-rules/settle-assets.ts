import { isDeepStrictEqual } from 'node:util';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { branchesOf } from '#shared/findings/branches/branch-names.ts';
import { outboxWrites, sendOutbox } from '#shared/platform/jobs/outbox.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { ApiError, Overtaken } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { batchOfMany } from '#shared/platform/table/many.ts';
import { recordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { concerning, newAssetChangeTask } from '../asset-actions/asset-change.ts';
import { keptWrite } from './kept.ts';
import { type ListAsset, type Ruleset, readRuleset, sameRules } from './ruleset.ts';
import { unsettled } from './settle.ts';

/** A person's change of the links or exclusions of an asset, with further rows. */
export type Edit = { changes: Partial<Asset>; also?: (batch: Batch) => void };

/**
 * The edit of one current asset, undefined where it is already made. Called again after a conflict.
 * @throws ApiError for an asset that refuses the edit
 */
type EditOf = (asset: ListAsset) => Edit | undefined;

/** An asset as it was, and as it is now. */
type Settled = { before: ListAsset; after: ListAsset };

/** Assets that are read together. */
const PART = 200;

/**
 * Makes the edits of assets and applies the rules to these assets. Each transaction changes some assets, if they and
 * the rules have not changed since they were read, and queues the task that updates their findings. It may be killed,
 * repeated and run twice at once.
 * @returns the changed assets
 */
export async function settleAssets(
  context: Context,
  ordinals: readonly number[],
  editOf: EditOf = () => undefined,
): Promise<Settled[]> {
  const changed: Settled[] = [];
  for (const part of chunksOf([...new Set(ordinals)], PART))
    await retry(async () => {
      for await (const some of settled(context, part, editOf)) changed.push(...some);
    }, isOvertaken);
  return changed;
}

/** Another writer changed an asset or the rules, or removed an asset. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof Overtaken || (error instanceof ApiError && error.code === 'not_found');

type Change = { before: ListAsset; changes: Partial<Asset>; also?: Edit['also'] };

async function* settled(context: Context, ordinals: readonly number[], editOf: EditOf): AsyncGenerator<Settled[]> {
  const { table } = context;
  const ruleset = await readRuleset(table);
  const all = await changesBy({ table, ruleset }, ordinals, editOf);
  const concerns = await concerning(table, all);
  for (let left: readonly Change[] = all; left.length > 0; ) {
    const { done, rest } = await write(context, left, { ruleset, concerns });
    yield done;
    left = rest;
  }
}

/** The changes that edits and the rules make of assets, of those alone that change. */
export async function changesBy(
  { table, ruleset }: { table: Table; ruleset: Ruleset },
  ordinals: readonly number[],
  editOf: EditOf,
): Promise<Change[]> {
  const current = await recordsAt(table, assets, ordinals);
  const branches = await branchesOf(table, current, ruleset);
  return current.flatMap((before): Change | Change[] => {
    const edit = editOf(before);
    const edited = { ...before, ...edit?.changes };
    const around = { ruleset, branches: branches.get(before.id) ?? [], at: now() };
    const wanted = { ...edit?.changes, ...unsettled(edited, around) };
    const changes = differing(before, wanted);
    return edit?.also || Object.keys(changes).length > 0 ? { before, changes, also: edit?.also } : [];
  });
}

const differing = (before: ListAsset, wanted: Partial<Asset>): Partial<Asset> =>
  Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => !isDeepStrictEqual(Reflect.get(before, name) ?? undefined, value)),
  );

type Known = { ruleset: Ruleset; concerns: (change: Change) => boolean };

/** Commits as many of the changes as fit a transaction. */
async function write({ connections, table }: Context, all: readonly Change[], { ruleset, concerns }: Known) {
  let queued: ReturnType<typeof newAssetChangeTask> | undefined;
  let done: Settled[] = [];
  const { batch, left } = await batchOfMany(table.batch, all, (batch, part) => {
    done = part.map((change) => changed(table, batch, change));
    for (const { before } of part) batch.write(...lostLinks(table, before, ruleset));
    batch.write(sameRules(table, ruleset));
    const ids = part.flatMap((change) => (concerns(change) ? change.before.id : []));
    queued = ids.length > 0 ? newAssetChangeTask(table, ids) : undefined;
    if (queued) batch.write(...outboxWrites(table, queued.task, queued.send));
  });
  await batch.commit();
  if (queued) await sendOutbox({ connections, table }, queued);
  return { done, rest: left };
}

/** Keeps the links that people made to a deleted application: its restoration makes them again. */
const lostLinks = (table: Table, { id, links = [] }: ListAsset, { applications }: Ruleset): Write[] =>
  links
    .filter(({ applicationId }) => !applications.has(applicationId))
    .flatMap((link) => keptWrite(table, { applicationId: link.applicationId, kind: 'links' }, { ...link, id }));

type Detail = (typeof assets.detail)[number];

function changed(table: Table, batch: Batch, { before, changes, also }: Change): Settled {
  also?.(batch);
  if (Object.keys(changes).length === 0) return { before, after: before };
  return { before, after: batch.update<Asset, Detail>(assets, before, table.changed<Asset, Detail>(before, changes)) };
}
