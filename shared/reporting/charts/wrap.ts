/** Places where a line may end: after blanks, after `- / , ; : & ?` and around letters of scripts that need no blanks. */
const PIECES =
  /[\u1100-\u11ff\u2e80-\ud7af\uf900-\ufaff\uff00-\uffef]|[^\s\-/,;:&?\u1100-\u11ff\u2e80-\ud7af\uf900-\ufaff\uff00-\uffef]+[-/,;:&?]*\s*|[-/,;:&?]+\s*|\s+/gu;

/**
 * The lines of a text within a width. A word that is longer than a line continues on the next one; no letter is lost. A line that ends at a
 * blank keeps it, so that copied lines keep two words apart.
 */
export function wrap(text: string, width: number, measure: (text: string) => number): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/).flatMap((paragraph) => wrapParagraph(paragraph, width, measure));
}

function wrapParagraph(text: string, width: number, measure: (text: string) => number): string[] {
  if (measure(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const piece of pieces(text, width, measure)) {
    const own = measure(piece.trimEnd());
    if (line !== '' && used + own > width) {
      lines.push(line);
      line = '';
      used = 0;
    }
    line += piece;
    used += measure(piece);
  }
  if (line.trim() !== '' || lines.length === 0) lines.push(line);
  return lines;
}

/** Pieces that a line can take as a whole. */
function* pieces(text: string, width: number, measure: (text: string) => number): Generator<string> {
  for (const [piece] of text.matchAll(PIECES)) {
    if (measure(piece.trimEnd()) <= width) yield piece;
    else yield* slices(piece, width, measure);
  }
}

function* slices(word: string, width: number, measure: (text: string) => number): Generator<string> {
  let slice = '';
  for (const letter of word) {
    // two letters together may be wider than each alone: fonts move them apart
    if (slice !== '' && measure(slice + letter) > width) {
      yield slice;
      slice = '';
    }
    slice += letter;
  }
  if (slice !== '') yield slice;
}
