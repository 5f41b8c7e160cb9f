/** The modifiers that are evaluated, with a line for docs/detection.md each. */
export const MODIFIERS = {
  contains: 'the value is anywhere in the field',
  startswith: 'the field begins with the value',
  endswith: 'the field ends with the value',
  all: 'all values fit, not only one of them',
  cased: 'letter case counts',
  neq: 'no value fits; also where the field is absent',
  exists: '`true`: the event has the field; `false`: it does not',
  re: 'a regular expression (RE2 syntax), which may match anywhere in the field; letter case counts',
  i: 'with `re`: letter case does not count',
  m: 'with `re`: `^` and `$` match at each line',
  s: 'with `re`: `.` also matches a line break',
  cidr: 'an address in this network (IPv4 or IPv6)',
  lt: 'a number that is less',
  lte: 'a number that is less or equal',
  gt: 'a number that is greater',
  gte: 'a number that is greater or equal',
  fieldref: 'the value of another field; with `startswith`, `endswith`, `contains`, `cased` and `neq`',
  windash: 'a dash before an option may also be `/`, `–`, `—` or `―`; at most three of them in a value',
  base64: 'the value as Base64',
  base64offset: 'the value in each of its possible forms within Base64, anywhere in the field',
  wide: 'the value in UTF-16 (little endian); with `base64` or `base64offset`',
  utf16le: 'as `wide`',
  utf16be: 'the value in UTF-16 (big endian); with `base64` or `base64offset`',
  utf16: 'as `wide`, with a byte order mark',
} as const;

type Modifier = keyof typeof MODIFIERS;

export const isModifier = (name: string): name is Modifier => Object.hasOwn(MODIFIERS, name);

const TIME = 'compares parts of times, which events of different sources write in different forms';

/** The modifiers of the specification that are refused, with the reason. */
export const REFUSED_MODIFIERS: Readonly<Record<string, string>> = {
  expand: 'needs values that are kept outside of the rule: write them into it',
  minute: TIME,
  hour: TIME,
  day: TIME,
  week: TIME,
  month: TIME,
  year: TIME,
};

/** The modifiers of which a line can have only one: they define how the value is compared. */
const COMPARING = ['re', 'cidr', 'lt', 'lte', 'gt', 'gte', 'exists'] as const satisfies Modifier[];
const PLACING = ['contains', 'startswith', 'endswith'] as const satisfies Modifier[];
const ENCODING = ['base64', 'base64offset'] as const satisfies Modifier[];
const WIDENING = ['wide', 'utf16le', 'utf16be', 'utf16'] as const satisfies Modifier[];
const FLAGS = ['i', 'm', 's'] as const satisfies Modifier[];

type Comparing = (typeof COMPARING)[number];
type Placing = (typeof PLACING)[number];
type Encoding = (typeof ENCODING)[number];
type Widening = (typeof WIDENING)[number];

/** The modifiers of a line by their effects. */
export type Modified = {
  compares: Comparing | null;
  places: Placing | null;
  encodes: Encoding | null;
  widens: Widening | null;
  flags: ReadonlySet<Modifier>;
  has: (modifier: Modifier) => boolean;
};

const among = <M extends Modifier>(given: readonly Modifier[], group: readonly M[]): M[] =>
  group.filter((one) => given.includes(one));

/** Sorts the modifiers of a line, which may stand in any order: rules of SigmaHQ have several. @returns the reason why they cannot be combined, as a text */
export function sortModifiers(given: readonly Modifier[]): Modified | string {
  const problem = clash(given) ?? lack(given);
  if (problem !== undefined) return problem;
  return {
    compares: among(given, COMPARING)[0] ?? null,
    places: among(given, PLACING)[0] ?? null,
    encodes: among(given, ENCODING)[0] ?? null,
    widens: among(given, WIDENING)[0] ?? null,
    flags: new Set(among(given, FLAGS)),
    has: (modifier) => given.includes(modifier),
  };
}

const SHAPING = [...PLACING, ...ENCODING, ...WIDENING, 'windash', 'cased', 'fieldref'] as const satisfies Modifier[];
const CLASHES: readonly (readonly [readonly Modifier[], readonly Modifier[]])[] = [
  [COMPARING, SHAPING],
  [['fieldref'], [...ENCODING, ...WIDENING, 'windash']],
  [['all'], ['neq']],
];

function clash(given: readonly Modifier[]): string | undefined {
  if (new Set(given).size < given.length) return 'names a modifier twice';
  const doubled = [COMPARING, PLACING, ENCODING, WIDENING].map((group) => among<Modifier>(given, group));
  const pairs = CLASHES.map(([some, others]) => [among(given, some)[0], among(given, others)[0]]);
  const found = [...doubled, ...pairs].find(([one, other]) => one !== undefined && other !== undefined);
  return found && `${found[0]} and ${found[1]} cannot stand together`;
}

function lack(given: readonly Modifier[]): string | undefined {
  const [flag] = among(given, FLAGS);
  const [widening] = among(given, WIDENING);
  if (flag && !given.includes('re')) return `${flag} needs re`;
  if (widening && among(given, ENCODING).length === 0) return `${widening} needs base64 or base64offset`;
  return undefined;
}
