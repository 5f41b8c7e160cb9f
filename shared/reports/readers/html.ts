import { oneLine } from './text.ts';

const ENTITIES = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['amp', '&'],
]);

/** HTML that a scanner writes as its description, as plain text: a line for each paragraph and item. */
export function htmlText(html: string | undefined): string | undefined {
  if (html === undefined) return undefined;
  const lines = html
    .replace(/<\/?(?:br|p|div|li|ul|ol|tr|h\d)\b[^<>]{0,200}>/gi, '\n')
    .replace(/<\/?[a-z][^<>]{0,2000}>/gi, '')
    .replace(/&(#?\w{2,8});/g, (entity, name) => characterOf(name) ?? entity)
    .split('\n');
  return lines
    .map(oneLine)
    .filter((line) => line !== '')
    .join('\n');
}

/** By name, or by its number, which may be hexadecimal. */
function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES.get(name);
  const code = Number(name.slice(1).replace(/^x/i, '0x'));
  const isCharacter = Number.isInteger(code) && code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
