import { isDeepStrictEqual } from 'node:util';
import type { Asset } from '#shared/assets/asset/asset.ts';
import { type AssetLink, MAX_LINKS, type RuleLink } from '#shared/assets/asset/asset-link.ts';
import { distinct } from '#shared/platform/runtime/texts.ts';
import { seenAsset } from './condition.ts';
import type { ListAsset, Ruleset } from './ruleset.ts';

/** Most rules that an asset follows, and most tags that it has from them: each is a mark, and a transaction has 100 rows. */
const MAX_MATCHES = 25;
const MAX_RULE_TAGS = 15;

type Around = { ruleset: Ruleset; branches: readonly string[]; at: string };

/** The fields of an asset that follow from the rules, and the links and exclusions of people that still have an application. */
type Settled = Pick<Asset, 'matches' | 'ruleTags' | 'links' | 'ruleLinks' | 'exclusions' | 'excludedFrom'>;

/**
 * The fields as the rules give them: no order of changes leaves a trace. Exclusions come first, so that they win where an asset
 * meets more rules than it may follow. Tag rules see the tags of people, the others all tags. A retired asset meets none.
 */
function settled(asset: ListAsset, { ruleset, branches, at }: Around): Settled {
  const isAlive = ({ applicationId }: { applicationId: string }) => ruleset.applications.has(applicationId);
  const links = asset.links?.filter(isAlive).map((link) => inEnvironment(ruleset, link));
  const exclusions = asset.exclusions?.filter(isAlive) ?? [];
  const met = asset.retiredAt ? NONE : metBy(asset, ruleset, branches);
  const excludedFrom = new Set([...exclusions, ...met.exclusions].map(({ applicationId }) => applicationId));
  const tags = distinct(met.tagRules.flatMap((rule) => rule.tags));
  const byHand = new Set(links?.map(({ applicationId }) => applicationId));
  const linking = met.applicationRules.filter(
    ({ applicationId }) => !excludedFrom.has(applicationId) && !byHand.has(applicationId),
  );
  return {
    matches: orAbsent([...met.exclusions, ...met.tagRules, ...met.applicationRules].map(({ id }) => id)),
    ruleTags: orAbsent(tags.slice(0, MAX_RULE_TAGS).sort()),
    links: orAbsent(links ?? []),
    ruleLinks: orAbsent(
      firstOfEach(linking)
        .slice(0, MAX_LINKS - byHand.size)
        .map((rule) => inEnvironment(ruleset, linkBy(rule, asset, at))),
    ),
    exclusions: orAbsent(exclusions),
    excludedFrom: orAbsent([...excludedFrom].slice(0, MAX_LINKS).sort()),
  };
}

const NONE: Pick<Ruleset, 'exclusions' | 'tagRules' | 'applicationRules'> = {
  exclusions: [],
  tagRules: [],
  applicationRules: [],
};

function metBy(asset: ListAsset, ruleset: Ruleset, branches: readonly string[]): typeof NONE {
  const byHand = seenAsset({ ...asset, ruleTags: undefined }, branches);
  const tagRules = ruleset.tagRules.filter(({ test }) => test(byHand)).slice(0, MAX_MATCHES);
  const ruleTags = distinct(tagRules.flatMap((rule) => rule.tags)).slice(0, MAX_RULE_TAGS);
  const facts = seenAsset({ ...asset, ruleTags }, branches);
  const exclusions = ruleset.exclusions.filter(({ test }) => test(facts)).slice(0, MAX_MATCHES);
  const left = Math.max(0, MAX_MATCHES - exclusions.length - tagRules.length);
  return {
    exclusions,
    tagRules,
    applicationRules: ruleset.applicationRules.filter(({ test }) => test(facts)).slice(0, left),
  };
}

type Linking = Ruleset['applicationRules'][number];

/** Of several rules of one application, the oldest makes the link. */
function firstOfEach(rules: readonly Linking[]): Linking[] {
  const first = new Map<string, Linking>();
  for (const rule of rules) if (!first.has(rule.applicationId)) first.set(rule.applicationId, rule);
  return [...first.values()];
}

function linkBy({ id, applicationId, environmentId }: Linking, { ruleLinks = [] }: ListAsset, now: string): RuleLink {
  const at = ruleLinks.find((link) => link.applicationId === applicationId)?.at ?? now;
  return { applicationId, ruleId: id, at, ...(environmentId !== null && { environmentId }) };
}

/** Without an environment that the application has not any more. */
function inEnvironment<L extends AssetLink | RuleLink>({ applications }: Ruleset, link: L): L {
  const { environmentId, ...others } = link;
  if (environmentId === undefined || applications.get(link.applicationId)?.has(environmentId)) return link;
  return others as L;
}

const orAbsent = <T>(list: readonly T[]): T[] | undefined => (list.length > 0 ? [...list] : undefined);

/** The fields of an asset that differ from the rules. */
export function unsettled(asset: ListAsset, around: Around): Partial<Asset> | undefined {
  const wanted = Object.entries(settled(asset, around));
  const changes = wanted.filter(([name, value]) => !isDeepStrictEqual(Reflect.get(asset, name) ?? undefined, value));
  return changes.length > 0 ? Object.fromEntries(changes) : undefined;
}
