import { oneLine } from './text.ts';

const ENTITIES = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['#39', "'"],
  ['nbsp', ' '],
  ['amp', '&'],
]);

/** HTML that a scanner writes as its description, as plain text: a line for each paragraph and item. */
export function htmlText(html: string | undefined): string | undefined {
  if (html === undefined) return undefined;
  const lines = html
    .replace(/<(?:br|\/?p|\/?div|\/?li|\/?ul|\/?ol|\/?tr|\/?h\d)\b[^<>]{0,200}>/gi, '\n')
    .replace(/<\/?[a-z][^<>]{0,2000}>/gi, '')
    .replace(/&(lt|gt|quot|apos|#39|nbsp|amp);/g, (entity, name) => ENTITIES.get(name) ?? entity)
    .split('\n');
  return lines
    .map(oneLine)
    .filter((line) => line !== '')
    .join('\n');
}
