import { linesOf, type OracleEvent } from './sigma-oracle.ts';

type Fields = OracleEvent['fields'];
/** A number from 0 to below 1. */
type Roll = () => number;

/** Events that a rule matches or nearly matches: fields that fit its searches, some of them changed, in another case, as numbers or lists, or left out. */
export function nearEvents(content: string, roll: Roll): (count: number) => Fields[] {
  const searches = linesOf(content);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(roll() * all.length)] as T;
  const one = (): Fields => {
    const fields: Fields = {};
    for (const { name, maps } of searches) {
      if (maps.length === 0 || roll() > (name.startsWith('filter') ? 0.35 : 0.85)) continue;
      for (const [key, values] of pick(maps)) {
        const [field = '', ...modifiers] = key.split('|');
        const some = modifiers.includes('all') ? values : [pick(values)];
        for (const value of some) putText(fields, { field: field || pick(['Word', 'Other']), modifiers, value }, roll);
      }
    }
    return roll() < 0.5 ? fields : changed(fields, roll);
  };
  return (count) => Array.from({ length: count }, one);
}

type Wanted = { field: string; modifiers: readonly string[]; value: string | boolean | null };

function putText(fields: Fields, { field, modifiers, value }: Wanted, roll: Roll): void {
  const has = (name: string) => modifiers.includes(name);
  if (value === null || (has('exists') && value === false)) {
    delete fields[field];
    return;
  }
  if (has('exists')) {
    fields[field] ??= roll() < 0.5 ? '' : 'x';
    return;
  }
  if (has('fieldref')) {
    fields[String(value)] ??= junk(roll);
    fields[field] = around(String(fields[String(value)]), modifiers, roll);
    return;
  }
  const text = fitting(String(value), modifiers, roll);
  const known = fields[field];
  const isWhole = !['contains', 'startswith', 'endswith', 'base64offset', 're'].some(has);
  if (known === undefined || isWhole) fields[field] = text;
  else if (Array.isArray(known)) known.push(String(text));
  else if (roll() < 0.3) fields[field] = [String(known), String(text)];
  else fields[field] = has('startswith') ? `${text}${known}` : `${known}${text}`;
}

function fitting(value: string, modifiers: readonly string[], roll: Roll): string | number {
  const has = (name: string) => modifiers.includes(name);
  if (['lt', 'lte', 'gt', 'gte'].some(has)) return Number(value) + Math.floor(roll() * 3) - 1;
  if (has('cidr')) return nearAddress(value, roll);
  if (has('re')) return around(exampleOf(value, roll), ['contains'], roll);
  const filled = value.replaceAll(/\\([\\*?])|([*?])/g, (_, escaped: string | undefined, sign: string) =>
    escaped !== undefined ? escaped : sign === '?' ? 'q' : roll() < 0.5 ? '' : junk(roll),
  );
  const dashed = has('windash')
    ? filled.replaceAll(/(^|\s)[-/](?=\w)/g, (_, before) => `${before}${'-/–—―'[Math.floor(roll() * 5)]}`)
    : filled;
  if (!has('base64') && !has('base64offset')) return around(dashed, modifiers, roll);
  const isWide = ['wide', 'utf16le', 'utf16be', 'utf16'].some(has);
  const padding = has('base64') ? '' : junk(roll);
  const bytes = Buffer.from(padding + dashed + padding, isWide ? 'utf16le' : 'utf8');
  if (has('utf16be')) bytes.swap16();
  return around(bytes.toString('base64'), modifiers, roll);
}

const around = (text: string, modifiers: readonly string[], roll: Roll): string => {
  const has = (name: string) => modifiers.includes(name) && roll() < 0.8;
  return (
    (has('contains') || has('endswith') ? junk(roll) : '') +
    text +
    (has('contains') || has('startswith') ? junk(roll) : '')
  );
};

const JUNK = ['', ' ', 'x', '\\', '/', '-', '.exe', '\n', 'C:\\', '"', 'Σ', 'ſ', 'K', '😀', '*', '?', 'a b'];
const junk = (roll: Roll): string =>
  Array.from({ length: Math.floor(roll() * 4) }, () => JUNK[Math.floor(roll() * JUNK.length)]).join('');

function nearAddress(network: string, roll: Roll): string {
  const [base = ''] = network.split('/');
  const parts = base.split(base.includes(':') ? ':' : '.');
  if (base.includes(':')) return roll() < 0.5 ? `${base}${Math.floor(roll() * 9)}`.replace(/:::+/, '::') : base;
  const at = Math.floor(roll() * 4);
  parts[at] = String((Number(parts[at]) + Math.floor(roll() * 64)) % 256);
  return parts.join('.');
}

/** A text that an expression is likely to match. */
function exampleOf(source: string, roll: Roll): string {
  const ESCAPED: Record<string, string> = {
    d: '7',
    D: 'x',
    w: 'w',
    W: '-',
    s: ' ',
    S: 's',
    b: '',
    B: '',
    n: '\n',
    r: '\r',
    t: '\t',
  };
  const inGroup = /\((?:\?(?:[imsU]+:|:|<\w+>))?([^()]*)\)((?:[*+?]|\{\d+(?:,\d*)?\})?)/;
  let text = source.replace(/^\(\?[ims]+\)/, '');
  for (let n = 0; n < 40 && inGroup.test(text); n++)
    text = text.replace(inGroup, (_, inside: string, times: string) => {
      const ways = inside.split(/(?<!\\)\|/);
      return (ways[Math.floor(roll() * ways.length)] ?? '').repeat(timesOf(times, roll));
    });
  const ways = text.split(/(?<!\\)\|/);
  const way = ways[Math.floor(roll() * ways.length)] ?? '';
  return way.replaceAll(
    /(?:\\(.)|\[(\^?)((?:\\.|[^\]\\])+)\]|([^\\[\]]))((?:[*+]|\?|\{\d+(?:,\d*)?\})?)\??/g,
    (_, escaped?: string, not?: string, set?: string, plain?: string, times = '') => {
      const one =
        escaped !== undefined
          ? (ESCAPED[escaped] ?? escaped)
          : set !== undefined
            ? not
              ? 'ü'
              : (set.replaceAll(/\\(.)/g, (_all, letter: string) => ESCAPED[letter] ?? letter)[0] ?? '')
            : plain === '.'
              ? 'x'
              : plain === '^' || plain === '$'
                ? ''
                : (plain ?? '');
      return one.repeat(timesOf(times, roll));
    },
  );
}

function timesOf(sign: string, roll: Roll): number {
  const [, least] = /^\{(\d+)/.exec(sign) ?? [];
  if (least !== undefined) return Number(least);
  return sign === '*'
    ? Math.floor(roll() * 3)
    : sign === '+'
      ? 1 + Math.floor(roll() * 2)
      : sign === '?'
        ? Math.round(roll())
        : 1;
}

function changed(fields: Fields, roll: Roll): Fields {
  const names = Object.keys(fields);
  const name = names[Math.floor(roll() * names.length)];
  const value = name === undefined ? undefined : fields[name];
  if (name === undefined || value === undefined) return fields;
  const text = [value].flat().map(String)[0] ?? '';
  const at = Math.floor(roll() * text.length);
  const without = () => Object.fromEntries(Object.entries(fields).filter(([one]) => one !== name));
  const ways: (() => Fields)[] = [
    without,
    () => ({ ...fields, [name]: text.slice(0, at) + text.slice(at + 1) }),
    () => ({ ...fields, [name]: `${text.slice(0, at)}#${text.slice(at)}` }),
    () => ({ ...fields, [name]: roll() < 0.5 ? text.toUpperCase() : text.toLowerCase() }),
    () => ({ ...fields, [name]: [junk(roll), text, junk(roll)] }),
    () => ({ ...fields, [name]: Number.isNaN(Number(text)) ? text : Number(text) }),
    () => ({ ...fields, [name]: ` ${text}` }),
    () => ({ ...fields, [name]: '' }),
    () => ({ ...without(), [name.toLowerCase()]: text }),
    () => ({ ...fields, [name]: text.replace(/[sk]/i, (letter) => (letter.toLowerCase() === 's' ? 'ſ' : 'K')) }),
  ];
  return ways[Math.floor(roll() * ways.length)]?.() ?? fields;
}
