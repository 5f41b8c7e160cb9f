import { blocksTest, parseBlock } from '#shared/platform/runtime/addresses.ts';
import { fitsPattern } from '#shared/platform/runtime/wildcard.ts';
import type { Asset } from '../asset/asset.ts';
import { addressesOf, cloudAccountsOf, hostNamesOf, repositoriesOf } from '../asset/asset-names.ts';
import type { Condition, Leaf } from './condition.ts';

/** The facts that conditions ask for: an asset, with its tags and the branches of a repository. */
export type Facts = Pick<
  Asset,
  'type' | 'value' | 'name' | 'zone' | 'aliases' | 'identifiers' | 'cloud' | 'os' | 'tags'
> & { branches: readonly string[] };

export type Test = (facts: Facts) => boolean;

/** The test that a condition describes: pure, and linear in the facts. */
export function testOf(condition: Condition): Test {
  const { all, any, not } = condition;
  if (all) return testsOf(all, (tests, facts) => tests.every((test) => test(facts)));
  if (any) return testsOf(any, (tests, facts) => tests.some((test) => test(facts)));
  if (not) {
    const inner = testOf(not);
    return (facts) => !inner(facts);
  }
  return leafTest(condition as Leaf);
}

function testsOf(parts: readonly Condition[], combine: (tests: readonly Test[], facts: Facts) => boolean): Test {
  const tests = parts.map(testOf);
  return (facts) => combine(tests, facts);
}

const VALUES: Record<Leaf['field'], (facts: Facts, key: string) => readonly string[]> = {
  type: ({ type }) => [type],
  hostname: hostNamesOf,
  ip: addressesOf,
  tag: ({ tags }) => tags,
  cloudTag: ({ cloud }, key) => (Object.hasOwn(cloud?.tags ?? {}, key) ? [cloud?.tags[key] ?? ''] : []),
  cloudAccount: cloudAccountsOf,
  repository: repositoriesOf,
  branch: ({ branches }) => branches,
  zone: ({ zone }) => (zone === null ? [] : [zone]),
  os: ({ os }) =>
    os ? [os.family, os.name ?? [], os.name && os.version ? `${os.name} ${os.version}` : []].flat() : [],
};

/** Names whose letter case does not matter. */
const CASELESS: readonly Leaf['field'][] = ['hostname', 'repository', 'os'];

function leafTest({ field, key = '', operator, value }: Leaf): Test {
  const valuesOf = VALUES[field];
  const isOne = valueTest({ field, operator, value });
  return (facts) => valuesOf(facts, key).some(isOne);
}

function valueTest({ field, operator, value }: Leaf): (text: string) => boolean {
  const wanted = [value ?? []].flat();
  const [first = ''] = wanted;
  if (operator === 'exists') return () => true;
  if (operator === 'matches') return (text) => fitsPattern(first, text);
  if (field === 'ip') return inBlocks(wanted);
  if (!CASELESS.includes(field)) return (text) => wanted.includes(text);
  const lower = new Set(wanted.map((text) => text.toLowerCase()));
  return (text) => lower.has(text.toLowerCase());
}

/** Addresses are compared by value, because IPv6 has several spellings. */
function inBlocks(wanted: readonly string[]): (text: string) => boolean {
  const isIn = blocksTest(wanted.flatMap((text) => parseBlock(text) ?? []));
  return (text) => {
    const address = parseBlock(text);
    return address !== undefined && isIn(address);
  };
}
