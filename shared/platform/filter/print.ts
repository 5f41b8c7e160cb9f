import type { Fields } from './fields.ts';
import type { Filter, Leaf } from './filter.ts';

/** The filter as a text that `parseFilter` reads as the same filter. */
export function printFilter(filter: Filter, fields: Fields): string {
  const { all, any, not } = filter;
  if (any) return any.map((part) => printIn(part, fields, part.any !== undefined)).join(' OR ');
  if (all)
    return all.map((part) => printIn(part, fields, part.field === undefined && part.not === undefined)).join(' ');
  if (not) return `-${printIn(not, fields, not.all !== undefined || not.any !== undefined)}`;
  return printLeaf(filter as Leaf, fields);
}

const printIn = (filter: Filter, fields: Fields, isGroup: boolean): string =>
  isGroup ? `(${printFilter(filter, fields)})` : printFilter(filter, fields);

function printLeaf({ field, operator, value }: Leaf, fields: Fields): string {
  const [first = ''] = [value ?? []].flat();
  if (fields[field]?.kind === 'words') return printWords(field, operator, first);
  switch (operator) {
    case 'exists':
      return `${field}:*`;
    case 'equals':
    case 'in':
      return `${field}:${[value ?? []].flat().map(literal).join(',')}`;
    case 'matches':
      return isBare(first) && first.includes('*') && first !== '*' ? `${field}:${first}` : `${field}~${literal(first)}`;
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
  const isPlain = /^[^-:<>~][^:<>~]*$/.test(text) && !/^(?:AND|OR|NOT)$/.test(text);
  return isPlain ? text : `${field}:${text}`;
}

/** A value that the parser reads as a literal text. */
const literal = (text: string): string => (isBare(text) && !/[*]|\.\./.test(text) ? text : quoted(text));

const isBare = (text: string): boolean => /^[^\s(),"]+$/.test(text);

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
