/** Markup whose texts are escaped. Only `markup` makes it, so that no text becomes markup by mistake. */
export type Markup = { readonly markup: string };
type Part = Markup | string | number | null | readonly Markup[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Letters of control, which neither HTML nor XML has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the letters
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g;

/** Text that is written into markup: well formed, without letters of control. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(CONTROLS, '\ufffd')
    .replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);

/** A piece of markup; every text in it is escaped. Attributes stand in double quotes. */
export function markup(pieces: TemplateStringsArray, ...parts: Part[]): Markup {
  return { markup: pieces.reduce((all, piece, n) => all + textOf(parts[n - 1] ?? null) + piece) };
}

function textOf(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  if ('markup' in part) return part.markup;
  return part.map((one) => one.markup).join('');
}
