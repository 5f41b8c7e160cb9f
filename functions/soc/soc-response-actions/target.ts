import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { orAbsent, placeOf } from '#shared/assets/asset/asset-places.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import { ordinalsOf, recordsAt } from '#shared/platform/table/selected.ts';
import { type Table, withoutPart } from '#shared/platform/table/table.ts';
import { assetTypesOf } from '#shared/soc/alerts/resolve-entities.ts';
import type { ResponseAction, StoredResponseAction } from '#shared/soc/incidents/response-action.ts';

type Target = ResponseAction['target'];

/**
 * The only asset that a target names, and where it is.
 * @throws validation_failed for a caller with a part of the organization who does not see it
 */
export async function placedTarget(
  table: Table,
  target: Target,
): Promise<Pick<StoredResponseAction, 'assetId' | 'common'>> {
  const [asset, other] = await assetsNamed(withoutPart(table), target);
  const only = asset && !other ? await table.find(assets, asset.id, true) : undefined;
  if (only) return { assetId: only.id, common: orAbsent(placeOf(only)) };
  if (table.part) throw invalid('target.value', NOT_SEEN);
  return {};
}

const NOT_SEEN =
  'must be a name or address that only one asset has, and you see that asset: your role is for a part of the organization';

type Named = Omit<Asset, 'services' | 'products'>;

/** A name with which so many assets begin is too short to say which asset is meant. */
const MAX_ALIKE = 200;

/** The assets of all zones with a name: an integrator knows the name alone. */
async function assetsNamed(whole: Table, { type, value }: Target): Promise<Named[]> {
  const types = assetTypesOf(type);
  if (types.length === 0) return [];
  const alike = await ordinalsOf(whole, assets, { search: value, where: { type: [...types] } });
  if (alike.length > MAX_ALIKE) return [];
  const wanted = caseless(value);
  const found = await recordsAt(whole, assets, alike);
  return found.filter((asset) => !asset.retiredAt && namesOf(asset).some((name) => caseless(name) === wanted));
}

const namesOf = ({ value, name, aliases = [], identifiers }: Named): string[] => [
  ...[value, name, ...aliases.map((alias) => alias.value)],
  ...[identifiers?.fqdns, identifiers?.hostnames, identifiers?.ips, identifiers?.cloudResourceId].flatMap(
    (known) => known ?? [],
  ),
];
