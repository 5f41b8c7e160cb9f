import { assetFields, assets } from '#shared/assets/asset/asset.ts';
import { branches } from '#shared/findings/branches/branch.ts';
import type { Announced } from '#shared/platform/feed/log.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import type { RecordChange } from '#shared/platform/table/changes.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { fieldsWhere } from '#shared/platform/table/field-table.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { moveExclusions } from './moved-exclusions.ts';
import { readRuleset } from './ruleset.ts';
import { settleAssets } from './settle-assets.ts';

/** The cause of what follows from rules: nobody has to look at it again. */
const SETTLING = 'apply_asset_rules';

/** Fields that no rule reads. */
const IGNORED_BY_RULES = new Set<string>(fieldsWhere(assetFields, 'rules', false));

/** Applies the rules to assets that changed, or whose branches changed. */
export function assetRuleFollower({ connections, table }: Context) {
  const author = { ...systemActor, cause: { operation: SETTLING } };
  const own = openTable(connections.dynamo, table.organizationId, author);
  return async (announced: readonly Announced[]): Promise<void> => {
    const changes = announced.flatMap(({ entry, change }) =>
      change && entry.cause.operation !== SETTLING ? change : [],
    );
    const ofAssets = changes.filter(({ entity }) => entity === assets.name);
    const changed = ofAssets.filter(concernsRules);
    const gone = ofAssets.filter(({ kind }) => kind === 'deleted');
    const ofBranches = changes.filter(({ entity }) => entity === branches.name);
    if (ofAssets.length === 0 && ofBranches.length === 0) return;
    const { mark, asksBranches } = await readRuleset(own);
    if (mark === undefined) return;
    if (gone.length > 0) await moveExclusions(own, [...new Set(gone.map(({ id }) => id))]);
    const repositories = asksBranches ? await repositoriesOf(own, ofBranches) : [];
    await settleAssets({ connections, table: own }, [...changed.map(({ id }) => id), ...repositories].map(ordinalOf));
  };
}

const concernsRules = ({ kind, fields, masked }: RecordChange): boolean =>
  kind === 'created' ||
  (kind === 'updated' && [...Object.keys(fields), ...masked].some((name) => !IGNORED_BY_RULES.has(name)));

/** The repositories of these branches, also of deleted branches. */
async function repositoriesOf(table: Table, changes: readonly RecordChange[]): Promise<string[]> {
  const current = await table.findMany(
    branches,
    changes.map(({ id }) => id),
    true,
  );
  const former = changes.flatMap(({ fields }) => [fields.assetId?.from, fields.assetId?.to]);
  return [...current.map(({ assetId }) => assetId), ...former.filter((id) => typeof id === 'string')];
}
