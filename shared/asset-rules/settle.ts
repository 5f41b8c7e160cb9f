import { isDeepStrictEqual } from 'node:util';
import type { Asset } from '../entities/asset.ts';
import type { ListAsset, Ruleset } from './ruleset.ts';

/** Most rules that an asset follows, and most tags that it has from them: each is a mark, and a transaction has 100 rows. */
const MAX_MATCHES = 25;
const MAX_RULE_TAGS = 15;

/** The fields of an asset that follow from the rules. */
type Settled = Pick<Asset, 'matches' | 'ruleTags'>;

/** The fields as the rules give them: no order of changes leaves a trace. Rules see the tags of people. A retired asset meets none. */
function settled(asset: ListAsset, { tagRules }: Ruleset, branches: readonly string[]): Settled {
  if (asset.retiredAt) return { matches: undefined, ruleTags: undefined };
  const met = tagRules.filter(({ test }) => test({ ...asset, branches })).slice(0, MAX_MATCHES);
  const tags = new Set(met.flatMap((rule) => rule.tags));
  return {
    matches: orAbsent(met.map(({ id }) => id)),
    ruleTags: orAbsent([...tags].slice(0, MAX_RULE_TAGS).sort()),
  };
}

const orAbsent = <T>(list: readonly T[]): T[] | undefined => (list.length > 0 ? [...list] : undefined);

/** The fields of an asset that are not as the rules say. */
export function unsettled(asset: ListAsset, ruleset: Ruleset, branches: readonly string[]): Partial<Asset> | undefined {
  const wanted = Object.entries(settled(asset, ruleset, branches));
  const changes = wanted.filter(([name, value]) => !isDeepStrictEqual(Reflect.get(asset, name) ?? undefined, value));
  return changes.length > 0 ? Object.fromEntries(changes) : undefined;
}
