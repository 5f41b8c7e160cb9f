/** The line of a shell up to the cursor: the words before the last, and the last, which the user is typing. */
type Line = { words: string[]; typed: Typed };
/** A word that is typed: without its quotes, and with them. */
type Typed = { text: string; raw: string; quote: '"' | "'" | undefined };

/** Splits a line as shells of the family of sh do, without expansions. */
export function readLine(line: string): Line {
  const words: string[] = [];
  let typed = emptyWord();
  for (let n = 0; n < line.length; n++) {
    const sign = line[n] ?? '';
    if (typed.quote === undefined && /\s/.test(sign)) {
      if (typed.raw !== '') words.push(typed.text);
      typed = emptyWord();
      continue;
    }
    const isEscape = sign === '\\' && typed.quote !== "'" && n + 1 < line.length;
    typed = isEscape ? escaped(typed, line[n + 1] ?? '') : after(typed, sign);
    if (isEscape) n += 1;
  }
  return { words, typed };
}

const emptyWord = (): Typed => ({ text: '', raw: '', quote: undefined });

const escaped = ({ text, raw, quote }: Typed, sign: string): Typed => ({
  text: text + (quote === '"' && !/["\\$`]/.test(sign) ? `\\${sign}` : sign),
  raw: `${raw}\\${sign}`,
  quote,
});

function after({ text, raw, quote }: Typed, sign: string): Typed {
  if (sign === quote) return { text, raw: raw + sign, quote: undefined };
  if (quote === undefined && (sign === '"' || sign === "'")) return { text, raw: raw + sign, quote: sign };
  return { text: text + sign, raw: raw + sign, quote };
}

/** Signs at which bash begins a new word when it completes (COMP_WORDBREAKS). */
const BREAK = /[><=;|&(:]/;

/**
 * A word as bash puts it into its line: only the part behind the last break of the typed word, with the signs escaped that
 * mean something to the shell. A record of the service could have any of them in its tags.
 * @returns undefined for a word that cannot be written in these quotes
 */
export function forBash(word: string, { raw, quote }: Typed): string | undefined {
  if (quote === "'") return word.includes("'") ? undefined : word.slice(before(raw, quote).length);
  if (quote === '"') return word.slice(before(raw, quote).length).replace(/["\\$`!]/g, '\\$&');
  const breaks = [...raw].findLastIndex((sign) => BREAK.test(sign));
  const kept = readLine(raw.slice(0, breaks + 1)).typed.text;
  return word.slice(kept.length).replace(/[^\w.,:@%+=/-]/g, '\\$&');
}

/** The text of a word before the quote that is open. */
const before = (raw: string, quote: string): string => readLine(raw.slice(0, raw.lastIndexOf(quote))).typed.text;
