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

/** A message may cite line numbers, which move with every edit above them. */
function withoutLines(message: string): string {
  return oneLine(message.toLowerCase().replace(/:\d+\b|\b(lines?|columns?|col)\s+\d+/g, ''));
}
