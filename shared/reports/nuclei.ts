import { completeFinding } from './finding.ts';
import { isObject } from './json.ts';
import { parseValue, splitJson } from './json-stream.ts';
import { type Line, splitLines } from './lines.ts';
import { draftOf, isMatch } from './nuclei/match.ts';
import { type OpenReport, ReportError, type ReportEvent } from './report.ts';

/**
 * Nuclei's JSON lines (-jsonl, -jsonl-export) or JSON array (-json-export). It writes matches only: no targets, no end
 * mark. A file of lines that was cut exactly between two lines cannot be told from a whole one, so whether the scan
 * covered its target must come from whoever ran it.
 */
export async function* readNuclei(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'nuclei' };
  if (await beginsArray(open)) yield* readArray(open);
  else yield* readLines(open);
}

async function beginsArray(open: OpenReport): Promise<boolean> {
  for await (const chunk of open()) {
    const first = chunk.find((byte) => byte > 0x20);
    if (first !== undefined) return first === '['.charCodeAt(0);
  }
  return false;
}

async function* readArray(open: OpenReport): AsyncGenerator<ReportEvent> {
  for await (const value of splitJson(open(), (path) => path.length === 0)) {
    if (!value.opens) yield* readMatch(parseValue(value), `entry ${Number(value.path[0]) + 1}`);
  }
}

async function* readLines(open: OpenReport): AsyncGenerator<ReportEvent> {
  for await (const line of splitLines(open())) {
    if (line.text.trim() === '') continue;
    const where = `line ${line.number}`;
    const match = parseLine(line);
    if (match === undefined) yield { kind: 'rejected', reason: 'the line is not JSON', where };
    else yield* readMatch(match, where);
  }
}

/** undefined: not JSON. The last line without its newline is one that was being written when the tool was stopped. */
function parseLine({ text, number, ended }: Line): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (ended) return undefined;
    throw new ReportError(
      'truncated_report',
      `The report ends early, in the middle of line ${number}: let the tool finish, then send the whole file.`,
    );
  }
}

async function* readMatch(match: unknown, where: string): AsyncGenerator<ReportEvent> {
  const draft = isObject(match) ? draftOf(match) : undefined;
  if (!draft) yield { kind: 'rejected', reason: 'the entry has no template-id or says not where it matched', where };
  else if (isMatch(match)) yield { kind: 'finding', finding: await completeFinding(draft) };
}
