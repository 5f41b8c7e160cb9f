/** Each line's number and text, of an excerpt that a tool prints with numbers before its lines. */
type Excerpt = { first: number; texts: string[] };

/** Reads an excerpt whose lines begin with a number and the separator; undefined for an excerpt without numbers. */
export function excerptOf(code: string | undefined, separator: string): Excerpt | undefined {
  const lines = (code ?? '').replace(/\n$/, '').split('\n');
  const first = numberOf(lines[0], separator);
  if (first === undefined) return undefined;
  return { first, texts: lines.map((line) => line.slice((/^\d+/.exec(line)?.[0].length ?? 0) + separator.length)) };
}

function numberOf(line: string | undefined, separator: string): number | undefined {
  const digits = /^\d{1,9}/.exec(line ?? '')?.[0];
  return digits && line?.startsWith(separator.trimEnd(), digits.length) ? Number(digits) : undefined;
}
