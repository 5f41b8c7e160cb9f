import type { Asset } from '../asset/asset.ts';
import { familyOf, TRAIT_KINDS, type TraitKind, type Traits, traitsOf, unplaced } from '../asset/asset-traits.ts';
import type { Placing } from '../targets/zones.ts';

type Rule = {
  /** Two assets with different values are two machines, whatever less trusted identifiers say. */
  forbids: boolean;
  /** The result of equal values: one machine, perhaps one machine, or no proof. */
  proves: 'same' | 'maybe' | 'nothing';
  /** Equal values prove one machine only if one of these kinds is equal too. */
  with?: readonly TraitKind[];
  /** Equal values prove only a possible match if one of these kinds differs. */
  unless?: readonly TraitKind[];
  /** The same value here removes such a doubt. */
  although?: readonly TraitKind[];
};

/** The rules of identity, as docs/identity.md describes them. The most trusted kind that two assets share decides. */
export const RULES: Record<TraitKind, Rule> = {
  cloudResourceId: { forbids: true, proves: 'same', unless: ['agentId', 'serialNumber'] },
  agentId: { forbids: true, proves: 'same', unless: ['serialNumber', 'hostname'] },
  // clones have the serial number of their template, but network cards of their own
  serialNumber: { forbids: true, proves: 'same', unless: ['hostname', 'mac'], although: ['hostname'] },
  // one tool reads it from the hardware, another from the system
  machineId: { forbids: false, proves: 'same', unless: ['hostname', 'mac'], although: ['hostname'] },
  mac: { forbids: true, proves: 'same', unless: ['hostname'], although: ['ip'] },
  fqdn: { forbids: true, proves: 'maybe', with: ['ip'] },
  hostname: { forbids: true, proves: 'nothing', with: ['ip'] },
  ip: { forbids: false, proves: 'maybe' },
  // two hosts may have a repository of one name, perhaps as a mirror
  codeHost: { forbids: true, proves: 'nothing' },
  repository: { forbids: false, proves: 'maybe' },
};

type Verdict = 'same' | 'maybe' | 'different';
export type Compared = {
  verdict: Verdict;
  /** The kind that decides. */
  by?: TraitKind;
  agree: { kind: TraitKind; values: string[] }[];
  differ: TraitKind[];
};

type Described = Pick<Asset, 'type' | 'value' | 'zone' | 'aliases' | 'identifiers' | 'agentId'>;

/** Compares two assets by their identifiers, in any order. @param placing the zone of addresses without one */
export function compare(one: Described, other: Described, placing?: Placing): Compared {
  if (!familyOf(one) || familyOf(one) !== familyOf(other)) return { verdict: 'different', agree: [], differ: [] };
  const [a, b] = [traitsOf(one, placing), traitsOf(other, placing)];
  const shared = (kind: TraitKind) => a[kind].filter((value) => b[kind].includes(value)).sort();
  const agree = TRAIT_KINDS.map((kind) => ({ kind, values: shared(kind) })).filter(({ values }) => values.length > 0);
  const isSame = (kind: TraitKind) => agree.some((found) => found.kind === kind);
  const differ = TRAIT_KINDS.filter(
    (kind) => a[kind].length > 0 && b[kind].length > 0 && !isSame(kind) && !areNear(a[kind], b[kind]),
  );
  const by = agree[0]?.kind;
  const known = { agree, differ, ...(by && { by }) };
  if (!by || isForbidden(by, differ) || areTwoAgents(one, other)) return { verdict: 'different', ...known };
  return { verdict: verdictBy(by, { isSame, differ, isName: isOnlyName(a) || isOnlyName(b) }), ...known };
}

/** One asset has a name or address of the other, without a zone: this proves nothing for or against a match. */
const areNear = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((one) => others.some((other) => unplaced(one) === other || one === unplaced(other)));

const isForbidden = (by: TraitKind, differ: readonly TraitKind[]): boolean =>
  differ.some((kind) => RULES[kind].forbids && TRAIT_KINDS.indexOf(kind) < TRAIT_KINDS.indexOf(by));

/** Each agent of ours runs on a machine of its own. */
const areTwoAgents = ({ agentId: one }: Described, { agentId: other }: Described): boolean =>
  one != null && other != null && one !== other;

type Ground = { isSame: (kind: TraitKind) => boolean; differ: readonly TraitKind[]; isName: boolean };

function verdictBy(by: TraitKind, { isSame, differ, isName }: Ground): Verdict {
  const { proves, with: beside = [], unless = [], although = [] } = RULES[by];
  if (proves !== 'same') {
    // a name with several addresses may be a load balancer's, with several machines behind it
    if (beside.some(isSame)) return isName ? 'maybe' : 'same';
    return proves === 'maybe' ? 'maybe' : 'different';
  }
  return unless.some((kind) => differ.includes(kind)) && !although.some(isSame) ? 'maybe' : 'same';
}

const HARDWARE: readonly TraitKind[] = ['cloudResourceId', 'agentId', 'serialNumber', 'machineId', 'mac'];

/** Several addresses of one family under a name, and no identifier that belongs to only one machine. */
const isOnlyName = (traits: Traits): boolean => {
  const isSix = (address: string) => address.includes(':');
  const several = [traits.ip.filter(isSix), traits.ip.filter((ip) => !isSix(ip))].some((all) => all.length > 1);
  return several && HARDWARE.every((kind) => traits[kind].length === 0);
};
