import type { Draft } from '#shared/platform/table/table.ts';
import type { Bag } from '#shared/platform/views/bag.ts';
import { CREDENTIAL_KINDS } from '#shared/reports/report/report.ts';
import { type CredentialFacts, MAX_ASSETS, type StoredCredential } from './exposed-credential.ts';

type Own = Pick<StoredCredential, 'key' | 'decision'>;
type Said = Bag<CredentialFacts>;

/** Most values of a list: of tools. */
const MAX_LIST = 20;

/** An exposed credential as it follows from its places and from what a person decided; the order in which these came leaves no trace. */
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
 * A false positive stays what a person called it. Else a check that came after the decision tells: a secret that was let in is active,
 * one that was refused is revoked. A secret that nobody finds any more is not rotated by that.
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

/** The latest; of two at once the one that let it in. */
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
