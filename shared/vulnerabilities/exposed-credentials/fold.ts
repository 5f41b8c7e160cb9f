import { commonPlace } from '#shared/assets/asset/common-place.ts';
import type { Draft } from '#shared/platform/table/table.ts';
import type { Bag } from '#shared/platform/views/bag.ts';
import { CREDENTIAL_KINDS } from '#shared/reports/report/report.ts';
import { type CredentialFacts, MAX_ASSETS, type StoredCredential } from './exposed-credential.ts';

type Own = Pick<StoredCredential, 'key' | 'decision'>;
type Said = Bag<CredentialFacts>;

/** Most values of a list: of tools. */
const MAX_LIST = 20;

/** An exposed credential from its places and a person's decision; the order in which these came does not matter. */
export function foldCredential(said: Said, { key, decision }: Own): Draft<StoredCredential> {
  const facts = said.map(([one]) => one);
  const assets = new Map(facts.flatMap(({ asset }) => (asset ? [[asset.id, asset] as const] : [])));
  const countOf = (wanted: (one: CredentialFacts) => boolean) =>
    said.reduce((sum, [one, times]) => sum + (wanted(one) ? times : 0), 0);
  return {
    key,
    kind: CREDENTIAL_KINDS.find((kind) => facts.some((one) => one.kind === kind)) ?? 'other',
    masked: first(facts.flatMap(({ masked }) => masked ?? [])),
    account: first(facts.flatMap(({ account }) => account ?? [])),
    sources: union(facts.map(({ source }) => source)),
    tools: union(facts.map(({ tool }) => tool)).slice(0, MAX_LIST),
    ...statusFields(facts, decision),
    places: countOf(() => true),
    openPlaces: countOf(isLeft),
    assets: [...assets.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, MAX_ASSETS),
    common: commonPlace(facts),
    firstSeenAt: first(facts.map(({ firstSeenAt }) => firstSeenAt)) ?? '',
    said: said.map(([one, times]) => [one, times]),
  };
}

type Check = NonNullable<StoredCredential['check']>;

/** The fields that a decision or a check changes. */
export function statusFields(facts: readonly CredentialFacts[], decision: Own['decision']) {
  const check = lastCheck(facts);
  const status = statusOf(facts, check, decision);
  const since = decision?.status === status ? decision.at : status === 'revoked' ? check?.at : undefined;
  return { status, decision, check, endedAt: status === 'active' ? undefined : since };
}

/**
 * A person's false positive stays. Otherwise a check after the decision decides: a secret that worked is active, a
 * refused secret is revoked. A secret that nobody finds any more does not count as rotated.
 */
function statusOf(
  facts: readonly CredentialFacts[],
  check: Check | undefined,
  decision: Own['decision'],
): StoredCredential['status'] {
  if (decision?.status === 'false_positive' || (!decision && isAllFalse(facts))) return 'false_positive';
  if (check && check.at > (decision?.at ?? '')) return check.verified ? 'active' : 'revoked';
  return decision?.status ?? 'active';
}

/** The latest check; of two simultaneous ones the successful one. */
function lastCheck(facts: readonly CredentialFacts[]): Check | undefined {
  const text = ({ at, verified }: Check) => `${at} ${Number(verified)}`;
  return facts.flatMap(({ check }) => check ?? []).toSorted((a, b) => (text(a) < text(b) ? 1 : -1))[0];
}

const isLeft = ({ status }: CredentialFacts): boolean => status !== 'fixed';

/** People called each finding false that is not fixed. */
function isAllFalse(facts: readonly CredentialFacts[]): boolean {
  const left = facts.filter(isLeft);
  return left.length > 0 && left.every(({ status }) => status === 'false_positive');
}

const first = (texts: readonly string[]): string | undefined => texts.toSorted()[0];

const union = <T extends string>(texts: readonly T[]): T[] => [...new Set(texts)].sort();
