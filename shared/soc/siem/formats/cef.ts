import type { Severity } from '#shared/reports/report/report.ts';
import type { EventFields } from '../event.ts';
import { MAX_FIELDS } from '../fields.ts';

/** A message in ArcSight's Common Event Format, revision 26. */
type CefEvent = { product: string; name: string; severity: Severity; fields: EventFields };

const HEADER = [
  'cefVersion',
  'deviceVendor',
  'deviceProduct',
  'deviceVersion',
  'deviceEventClassId',
  'name',
  'severity',
] as const;

/** The start of a message in this format, if the line has one: after a syslog header or at the beginning. */
export const cefStart = (line: string): number => {
  const at = line.search(/CEF: ?\d/);
  return at > 0 && line[at - 1] !== ' ' ? -1 : at;
};

/** @returns undefined when the header has fewer than its seven parts */
export function readCef(text: string): CefEvent | undefined {
  const parts: string[] = [];
  let from = text.indexOf(':') + 1;
  for (let i = from; i < text.length && parts.length < HEADER.length; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '|') {
      parts.push(text.slice(from, i).replaceAll(/\\([\\|])/g, '$1'));
      from = i + 1;
    }
  }
  // some products leave the last bar out where no extension follows
  if (parts.length === HEADER.length - 1) {
    parts.push(text.slice(from).trim());
    from = text.length;
  }
  if (parts.length < HEADER.length) return undefined;
  const header = Object.fromEntries(HEADER.map((name, i) => [name, (parts[i] ?? '').trim()]));
  const { deviceProduct: product = '', name = '', severity = '' } = header;
  return { product, name, severity: severityOf(severity), fields: { ...header, ...readExtension(text.slice(from)) } };
}

/** The keys of an extension. A value ends where the next key begins, because it may have spaces; its `=` are escaped. */
function readExtension(text: string): EventFields {
  const keys = [...text.matchAll(/(?:^|\s)([\w.[\]-]{1,100})(?<!\\)=/g).take(MAX_FIELDS)];
  const fields: EventFields = {};
  for (const [i, match] of keys.entries()) {
    const [all, key = ''] = match;
    const value = text.slice(match.index + all.length, keys[i + 1]?.index ?? text.length);
    if (key !== '__proto__') fields[key] = unescaped(value.trimEnd());
  }
  return fields;
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r' };
const unescaped = (text: string): string => text.replaceAll(/\\([\\=|nr])/g, (_, one: string) => ESCAPES[one] ?? one);

const WORDS: Record<string, Severity> = {
  unknown: 'info',
  low: 'low',
  medium: 'medium',
  high: 'high',
  'very-high': 'critical',
};

/** 0 to 3 is low, 4 to 6 medium, 7 and 8 high, 9 and 10 very high. */
function severityOf(text: string): Severity {
  const number = Number(text);
  if (text === '' || Number.isNaN(number)) return WORDS[text.toLowerCase()] ?? 'info';
  if (number >= 9) return 'critical';
  if (number >= 7) return 'high';
  return number >= 4 ? 'medium' : 'low';
}
