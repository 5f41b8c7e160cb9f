import { oneLine } from './text.ts';

/** A problem in source code. `snippet` is the text of the flagged lines alone, without line numbers. */
export type CodeProblem = { ruleId: string; place: string; snippet?: string; message?: string };

/**
 * Recognises a problem of source code after the lines above it changed. SARIF and the own formats of code tools share it, so
 * that the reports of one tool in two formats give one finding.
 */
export function codeIdentity({ ruleId, place, snippet, message = '' }: CodeProblem): string[] {
  return [ruleId, place, snippet?.trim() ? `snippet:${oneLine(snippet)}` : `message:${withoutLines(message)}`];
}

/** The first and last line of flagged code, and its first and last column, as the tool counts them. */
export type Span = { lines: [number, number]; columns: [number, number] };

/**
 * Of a tool that keeps the flagged text for those who log in: the message and the extent of the code, which stay as they are
 * when lines above are added or the code is indented.
 */
export function hiddenCodeIdentity({ snippet: _snippet, ...known }: CodeProblem, { lines, columns }: Span): string[] {
  const height = lines[1] - lines[0];
  const extent = height > 0 ? `lines:${height + 1}` : `width:${columns[1] - columns[0]}`;
  return [...codeIdentity(known), extent];
}

/** A message may cite line numbers, which move with every edit above them. */
function withoutLines(message: string): string {
  return oneLine(message.toLowerCase().replace(/:\d+\b|\b(lines?|columns?|col)\s+\d+/g, ''));
}
