/** A regular expression in the source, with the place where it stands. */
export type Pattern = { file: string; line: number; source: string; flags: string };

/** After one of these a slash begins a pattern; after anything else it divides. */
const BEFORE = /(^|[(,=:[!&|?{};+>\n]|\breturn)\s*$/;
const LITERAL = /\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/y;
const COMMENT_OR_TEXT = /\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y;

/** The regular expressions of a file of TypeScript; those in comments and texts do not count. */
export function patternsIn(file: string, text: string): Pattern[] {
  const found: Pattern[] = [];
  for (let at = 0; at < text.length; ) {
    const skipped = matchAt(COMMENT_OR_TEXT, text, at);
    const literal =
      skipped || !BEFORE.test(text.slice(Math.max(0, at - 20), at)) ? undefined : matchAt(LITERAL, text, at);
    const [whole = 'x', source = '', flags = ''] = skipped ?? literal ?? [];
    if (literal) found.push({ file, line: text.slice(0, at).split('\n').length, source, flags });
    at += whole.length;
  }
  return found;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** A pattern as the code writes it. */
export const literalOf = ({ source, flags }: Pattern): string => `/${source}/${flags}`;
