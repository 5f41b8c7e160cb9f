import { oneLine } from './text.ts';

/** A problem in source code. `snippet` is only the text of the flagged lines, without line numbers. */
export type CodeProblem = { ruleId: string; place: string; snippet?: string; message?: string };

/**
 * Recognizes a problem of source code after the lines above it changed. SARIF and code tools' own formats share it, so
 * that one tool's reports in two formats give one finding.
 */
export function codeIdentity({ ruleId, place, snippet, message = '' }: CodeProblem): string[] {
  return [ruleId, place, snippet?.trim() ? `snippet:${oneLine(snippet)}` : `message:${withoutLines(message)}`];
}

/** The first and last line of flagged code, and its first and last column, in the tool's counting. */
export type Span = { lines: [number, number]; columns: [number, number] };

/**
 * For a tool that shows the flagged text only after a login: the message and the extent of the code, which stay the
 * same when lines above are added or the code is indented.
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
