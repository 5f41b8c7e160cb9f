import { assets } from '#shared/assets/asset/asset.ts';
import { MAX_LINKS } from '#shared/assets/asset/asset-link.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import { newestOf } from '#shared/platform/table/layout/bits.ts';
import { commitMany } from '#shared/platform/table/many.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { applications } from '../applications/application.ts';
import { keepScores } from '../applications/scores.ts';
import { applicationExclusions } from './application-exclusion.ts';
import { applicationRules } from './application-rule.ts';
import { concernedBits } from './apply.ts';
import { exclusionTimer } from './exclusion-timer.ts';
import { readKept } from './kept.ts';
import { rulesChanged } from './mark.ts';
import type { ListAsset } from './ruleset.ts';
import type { Edit } from './settle-assets.ts';

type Restored = { ordinals: number[]; editOf: (asset: ListAsset) => Edit | undefined };

/**
 * Makes the rules, exclusions and scores of an application that is back again. Repeating it changes nothing.
 * @returns the assets that they concern, with the links that people had made; undefined for an application that was deleted again
 */
export async function restoreRulesOf(
  table: Table,
  applicationId: string,
  taskId: string,
): Promise<Restored | undefined> {
  if (!(await table.find(applications, applicationId, true))) return undefined;
  const kept = async <K extends 'rules' | 'exclusions' | 'links' | 'scores'>(kind: K) =>
    (await readKept(table, applicationId, kind)).map(({ record }) => record);
  const [rules, all, links] = await Promise.all([kept('rules'), kept('exclusions'), kept('links')]);
  const named = await table.findMany(
    assets,
    all.flatMap(({ assetId }) => assetId ?? []),
    true,
  );
  const exclusions = all.filter(({ assetId }) => assetId === null || named.some(({ id }) => id === assetId));
  await createAgain(table, { entity: applicationRules, applicationId, taskId }, rules);
  await createAgain(table, { entity: applicationExclusions, applicationId, taskId }, exclusions, (batch, exclusion) =>
    batch.write(...exclusionTimer(table, undefined, exclusion)),
  );
  await keepScores(table, await kept('scores'));
  await table.commit((batch) => batch.write(rulesChanged(table)));
  const conditions = [...rules.filter(({ enabled }) => enabled), ...exclusions].flatMap(
    ({ condition }) => condition ?? [],
  );
  const bits = await concernedBits(table, { ruleIds: [], conditions, applicationIds: [applicationId] });
  const ids = [...links.map(({ id }) => id), ...exclusions.flatMap(({ assetId }) => assetId ?? [])];
  const ordinals = [...new Set([...newestOf(bits), ...ids.map(ordinalOf)])].sort((a, b) => b - a);
  return { ordinals, editOf: (asset) => editOf(asset, { links, exclusions }) };
}

type Made = Stored & { applicationId: string; assetId?: string | null; filterId?: string | null | undefined };
type Place<T extends Made> = { entity: Entity<T>; applicationId: string; taskId: string };

/** Makes records again that went with their application. A saved filter may have changed since: they keep their own condition. */
async function createAgain<T extends Made>(
  table: Table,
  { entity, applicationId, taskId }: Place<T>,
  records: readonly T[],
  also?: (batch: Batch, record: T) => void,
): Promise<void> {
  const current = await recordsOf(table, entity, { parent: { application: applicationId } });
  const isThere = ({ id, assetId }: Made) =>
    current.some((one: Made) => one.id === id || (assetId != null && one.assetId === assetId));
  const missing = records.filter((record) => !isThere(record));
  await commitMany(table.batch, missing, (batch, record) => {
    // the deletion was the version in between
    const again = { ...record, taskId, ...(record.filterId && { filterId: null }), version: record.version + 1 };
    batch.create(entity, table.changed<T, never>(again, {}));
    also?.(batch, record);
  });
}

type Assigned = {
  links: Awaited<ReturnType<typeof readKept<'links'>>>[number]['record'][];
  exclusions: Awaited<ReturnType<typeof readKept<'exclusions'>>>[number]['record'][];
};

/** Adds the link and the exclusion that the asset had, unless people made others meanwhile. */
function editOf(asset: ListAsset, all: Assigned): Edit {
  const { links = [], exclusions = [] } = asset;
  const lost = all.links.filter(({ id, applicationId }) => id === asset.id && !isAmong(links, applicationId));
  const excluded = all.exclusions.filter(
    ({ assetId, applicationId }) => assetId === asset.id && !isAmong(exclusions, applicationId),
  );
  return {
    changes: {
      ...(lost.length > 0 &&
        links.length < MAX_LINKS && { links: [...links, ...lost.map(({ id: _id, ...link }) => link)] }),
      ...(excluded.length > 0 &&
        exclusions.length < MAX_LINKS && {
          exclusions: [...exclusions, ...excluded.map(({ id, applicationId }) => ({ applicationId, exclusionId: id }))],
        }),
    },
  };
}

const isAmong = (some: readonly { applicationId: string }[], applicationId: string): boolean =>
  some.some((one) => one.applicationId === applicationId);
