import { assetFields, assets } from '#shared/assets/asset/asset.ts';
import type { Announced } from '#shared/platform/feed/log.ts';
import type { RecordChange } from '#shared/platform/table/changes.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { fieldsWhere } from '#shared/platform/table/field-table.ts';
import { recognise } from './recognise.ts';
import { recogniserOf } from './recognise-all.ts';

/** The fields by which assets are recognised, and those that say whether they may be merged. */
const IDENTIFYING = new Set<string>(fieldsWhere(assetFields, 'identity', true));

/** Looks for the same machine among the others when an asset appears, leaves or gets another identifier. */
export function identityFollower({ connections, table }: Context) {
  const place = recogniserOf({ connections, table });
  return async (announced: readonly Announced[]): Promise<void> => {
    const changed = announced.flatMap(({ change }) => (change && concernsIdentity(change) ? change.id : []));
    if (changed.length > 0) await recognise(place, changed);
  };
}

const concernsIdentity = ({ entity, kind, fields, masked }: RecordChange): boolean =>
  entity === assets.name &&
  (kind !== 'updated' || [...Object.keys(fields), ...masked].some((name) => IDENTIFYING.has(name)));
