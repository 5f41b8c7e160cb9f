import { quoted } from '../runtime/texts.ts';
import type { Filter, Leaf } from './filter.ts';

/** The kinds of fields by their names; the console knows no more of a field. */
type Kinds = Readonly<Record<string, Readonly<{ kind: string }>>>;

/** The filter as a text that `parseFilter` reads as the same filter. */
export function printFilter(filter: Filter, fields: Kinds): string {
  const { all, any, not } = filter;
  if (any) return any.map((part) => printIn(part, fields, part.any !== undefined)).join(' OR ');
  if (all)
    return all.map((part) => printIn(part, fields, part.field === undefined && part.not === undefined)).join(' ');
  if (not) return `-${printIn(not, fields, not.all !== undefined || not.any !== undefined)}`;
  return printLeaf(filter as Leaf, fields);
}

const printIn = (filter: Filter, fields: Kinds, isGroup: boolean): string =>
  isGroup ? `(${printFilter(filter, fields)})` : printFilter(filter, fields);

function printLeaf({ field, key, operator, value }: Leaf, fields: Kinds): string {
  const [first = ''] = [value ?? []].flat();
  if (fields[field]?.kind === 'words') return printWords(field, operator, first);
  const tag = key === undefined ? '' : `${key.replaceAll('%', '%25').replaceAll('=', '%3D')}=`;
  switch (operator) {
    case 'exists':
      return key === undefined ? `${field}:*` : `${field}:${literal(tag.slice(0, -1))}`;
    case 'equals':
    case 'in':
      return `${field}:${[value ?? []]
        .flat()
        .map((text) => literal(tag + text))
        .join(',')}`;
    case 'matches': {
      const isPlain = isBare(tag + first) && first.includes('*') && first !== '*';
      return isPlain ? `${field}:${tag}${first}` : `${field}~${literal(tag + first)}`;
    }
    case 'cidr':
      return `${field}:${first.includes('/') ? first : `${first}/${first.includes(':') ? 128 : 32}`}`;
    case 'before':
    case 'under':
      return `${field}<${first}`;
    case 'after':
    case 'over':
      return `${field}>${first}`;
    default:
      return `${field}:${first}`;
  }
}

function printWords(field: string, operator: Leaf['operator'], text: string): string {
  if (operator === 'equals') return quoted(text);
  if (!isBare(text)) return `${field}~${quoted(text)}`;
  const isPlain = /^[^-:<>~][^:<>~]*$/.test(text) && !/^(?:and|or|not)$/i.test(text);
  return isPlain ? text : `${field}:${text}`;
}

/** A value that the parser reads as a literal text. */
const literal = (text: string): string => (isBare(text) && !/[*]|\.\./.test(text) ? text : quoted(text));

const isBare = (text: string): boolean => /^[^\s(),"]+$/.test(text);
