import { type OpenReport, ReportError, type ReportEvent } from '../report/report.ts';
import { type FindingDraft, findingEvent } from './finding.ts';
import { isObject, type JsonObject } from './json.ts';
import { parseWithin } from './json-limits.ts';
import { type JsonPath, parseValue, splitJson } from './json-stream.ts';
import { type Line, splitLines } from './lines.ts';
import { Repetitions } from './repetitions.ts';

/**
 * One entry of a report's list; `where` names it for people. Without a value it is unreadable, for the `problem` if
 * given.
 */
export type Entry<T = JsonObject> = { value?: T; where: string; problem?: string };

export const entryOf = (value: unknown, where: string): Entry => (isObject(value) ? { value, where } : { where });

/**
 * The entries of the list below these keys of a JSON document, or of the document itself, one in memory at a time.
 * @throws unsupported_format when the document has no such list
 */
export async function* jsonEntries(open: OpenReport, ...keys: string[]): AsyncGenerator<Entry> {
  yield* entriesOfLists(open, [keys]);
}

/** The entries of the lists at several places of a JSON document; at least one place must exist. */
async function* entriesOfLists(open: OpenReport, lists: readonly string[][]): AsyncGenerator<Entry> {
  if (yield* optionalEntries(open, lists)) return;
  const names = lists.map((list) => list.join('.')).join(' or ');
  throw new ReportError('unsupported_format', `The report has no list ${names}: name the format it has.`);
}

/** The same of a document that may have none of the lists. @returns whether it has one */
export async function* optionalEntries(
  open: OpenReport,
  lists: readonly string[][],
): AsyncGenerator<Entry, boolean, undefined> {
  const isOn = (path: JsonPath, list: string[]) =>
    path.every((key, depth) => depth >= list.length || key === list[depth]);
  const isOnWay = (path: JsonPath) => lists.some((list) => path.length <= list.length && isOn(path, list));
  let found = false;
  for await (const value of splitJson(open(), isOnWay)) {
    const { path, opens } = value;
    if (opens) found ||= opens === 'array' && lists.some((list) => list.length === path.length && isOn(path, list));
    else {
      const content = parseValue(value); // also what nobody reads must be whole
      const index = lists.some((list) => list.length + 1 === path.length && isOn(path, list)) ? path.at(-1) : undefined;
      if (typeof index === 'number') yield entryOf(content, `entry ${index + 1}`);
    }
  }
  return found;
}

/** A line costs some microseconds, whatever its length. */
const MANY_LINES = 200_000;
/** Characters of a line on average; those of all tools have several times as many. */
const LEAST_LINE = 64;

/** The entries of JSON lines: one value a line. @throws invalid_report for so many short lines as no tool writes */
export async function* lineEntries(open: OpenReport): AsyncGenerator<Entry> {
  let [lines, characters] = [0, 0];
  for await (const line of splitLines(open())) {
    lines += 1;
    characters += line.text.length;
    if (lines > MANY_LINES && characters < lines * LEAST_LINE) throw tooShort(line.number);
    if (line.text.trim() !== '') yield lineEntry(line);
  }
}

const tooShort = (number: number): ReportError =>
  new ReportError(
    'invalid_report',
    `The lines up to line ${number} have less than ${LEAST_LINE} characters on average: name the format that the report has.`,
  );

/** The last line without its newline was being written when the tool was stopped. */
function lineEntry({ text, number, ended }: Line): Entry {
  const where = `line ${number}`;
  try {
    return entryOf(parseWithin(text, where), where);
  } catch (error) {
    if (error instanceof ReportError) throw error;
    if (ended) return { where, problem: 'the line is not JSON' };
    throw new ReportError(
      'truncated_report',
      `The report ends early, in the middle of line ${number}: let the tool finish, then send the whole file.`,
    );
  }
}

/** JSON documents one behind the other, however they are broken into lines, or in an array. */
export async function* streamEntries(open: OpenReport): AsyncGenerator<Entry> {
  if ((await firstCharacter(open)) === '[') return yield* jsonEntries(open);
  let number = 0;
  for await (const value of splitJson(open(), () => false, { several: true })) {
    number += 1;
    yield entryOf(parseValue(value), `document ${number}`);
  }
}

/**
 * The entries of a tool that writes JSON lines, or a JSON array if its user likes. A program such as jq breaks each
 * entry into several lines.
 */
export async function* arrayOrLineEntries(open: OpenReport): AsyncGenerator<Entry> {
  const first = await firstCharacter(open);
  yield* first === '[' || (first === '{' && (await isBroken(open))) ? streamEntries(open) : lineEntries(open);
}

/** Whether the first line of JSON documents ends behind their first character. */
async function isBroken(open: OpenReport): Promise<boolean> {
  let isOpen = false;
  for await (const chunk of open())
    for (const byte of chunk) {
      if (isOpen && byte === 0x0a) return true;
      if (byte <= 0x20) continue;
      if (isOpen) return false;
      isOpen = true;
    }
  return false;
}

type Document = {
  /** The places of the list in a document that is an object. */
  lists: readonly string[][];
  /** Whether the first object of JSON lines is an entry: a document on one line looks like a line. */
  isEntry: (first: JsonObject) => boolean;
};

/** The entries of a tool whose reports are an array, an object with a list, JSON lines, or a single entry. */
export async function* documentEntries(open: OpenReport, { lists, isEntry }: Document): AsyncGenerator<Entry> {
  if ((await firstCharacter(open)) === '[') return yield* jsonEntries(open);
  const first = await firstLine(open);
  if (first && isEntry(first)) return yield* lineEntries(open);
  try {
    yield* entriesOfLists(open, lists);
  } catch (error) {
    if (!(error instanceof ReportError && error.code === 'unsupported_format')) throw error;
    const root = await rootOf(open);
    if (!isObject(root) || !isEntry(root)) throw error;
    yield entryOf(root, 'the entry');
  }
}

async function rootOf(open: OpenReport): Promise<unknown> {
  for await (const value of splitJson(open(), () => false)) return parseValue(value);
  return undefined;
}

/** The object on the first line, if it is whole. */
async function firstLine(open: OpenReport): Promise<JsonObject | undefined> {
  try {
    for await (const { text } of splitLines(open())) {
      if (text.trim() === '') continue;
      const value = parseWithin(text, 'line 1');
      return isObject(value) ? value : undefined;
    }
  } catch (error) {
    // The beginning of a document on several lines, or one line that is larger than an entry may be.
    if (!(error instanceof SyntaxError || error instanceof ReportError)) throw error;
  }
  return undefined;
}

/** The first character that is not white space distinguishes the encodings of a tool; '' for an empty report. */
export async function firstCharacter(open: OpenReport): Promise<string> {
  for await (const chunk of open()) {
    const first = chunk.find((byte) => byte > 0x20);
    if (first !== undefined) return String.fromCharCode(first);
  }
  return '';
}

/** The findings of one entry; for an entry with very many findings a generator makes one at a time. */
export type Drafts = FindingDraft | Iterable<FindingDraft>;
/** Undefined when the entry cannot be used. */
type DraftsOf<T, E> = (value: T, entry: E) => Drafts | undefined;

/** The findings of a list's entries; `unusable` gives the sender the reason for a rejected entry. */
export async function* readEntries<T, E extends Entry<T>>(
  entries: AsyncIterable<E & Entry<T>>,
  draftsOf: DraftsOf<T, E>,
  unusable: string,
  repetitions = new Repetitions(),
): AsyncGenerator<ReportEvent> {
  let [rejected, used] = [0, 0];
  for await (const entry of entries) {
    const { value, where, problem = unusable } = entry;
    const drafts = value === undefined ? undefined : draftsOf(value, entry);
    if (drafts === undefined) {
      rejected += 1;
      const most = used > 0 ? MAX_REJECTED : MAX_REJECTED_FIRST;
      if (rejected > most) throw notThis(most, problem, where);
      yield { kind: 'rejected', reason: problem, where };
      continue;
    }
    used += 1;
    for (const draft of listOf(drafts)) yield await findingEvent(numbered(repetitions, draft), where);
  }
}

/** A report with this many unusable entries is probably of another format. */
export const MAX_REJECTED = 100_000;
/** A report that begins with this many unusable entries is surely of another format. */
const MAX_REJECTED_FIRST = 10_000;

export const notThis = (most: number, problem: string, where: string): ReportError =>
  new ReportError('invalid_report', `More than ${most} entries cannot be used; the last is ${where}: ${problem}.`);

const listOf = (drafts: Drafts): Iterable<FindingDraft> => (Symbol.iterator in drafts ? drafts : [drafts]);

/** The drafts of an entry's parts, or undefined when one of them cannot be used: then the entry is rejected. */
export function allOrNone<T>(
  parts: readonly T[],
  draftOf: (part: T) => FindingDraft | undefined,
): FindingDraft[] | undefined {
  const drafts = parts.map(draftOf).filter((draft) => draft !== undefined);
  return drafts.length === parts.length ? drafts : undefined;
}

const numbered = (repetitions: Repetitions, draft: FindingDraft): FindingDraft =>
  draft.anyLine ? draft : { ...draft, identity: repetitions.number(draft) };
