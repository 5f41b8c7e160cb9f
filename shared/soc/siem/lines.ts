import { costOf, MAX_LEVELS } from '#shared/platform/runtime/json-cost.ts';
import { isObject } from '#shared/reports/readers/json.ts';
import { type JsonPath, splitWhole } from '#shared/reports/readers/json-stream.ts';
import { ReportError } from '#shared/reports/report/report.ts';

/** Lines of a batch, with blank ones. A line of two bytes becomes an event of about 500. */
export const MAX_LINES = 100_000;

/** A longer line is kept as text: as JSON it may take 40 times as much memory. Events of CloudTrail have up to 256 KB. */
export const MAX_LINE = 256 * 1024;

/** A new field name costs about 3 µs and 100 bytes; events of one product share their names. */
export const MAX_NAMES = 100_000;
/** JSON values of a batch. An event of Windows has 30 to 60 in 1 to 2 KB. */
export const MAX_BATCH_VALUES = 1_000_000;
/** JSON values of an event. */
const MAX_EVENT_VALUES = 10_000;
/** Bytes of the resources that a batch names once for many records: each event has its resource. */
const MAX_RESOURCES = 32 * 1024 * 1024;

/**
 * The JSON values, different field names, records and bytes of their resources that a batch may still have. A batch over its budget is
 * refused; the lines behind are text.
 */
export type FieldBudget = { values: number; names: Set<string>; records: number; resources: number };

export const newFieldBudget = (): FieldBudget => ({
  values: MAX_BATCH_VALUES,
  names: new Set(),
  records: MAX_LINES,
  resources: MAX_RESOURCES,
});

export const isSpent = ({ values, names, records, resources }: FieldBudget): boolean =>
  Math.min(values, records, resources) < 0 || names.size > MAX_NAMES;

/** The text of an event, and its value where the text is a JSON object. */
export type Line = { raw: string; value?: object | undefined };

const NEWLINE = 0x0a;
const LIST = /^\s{0,1000}(?:\[|\{\s{0,100}"(?:Records|resourceLogs)"\s{0,100}:\s{0,100}\[)/;
/** The logs of OpenTelemetry: its collector writes such an object for each request, a line each. */
const OTLP = /^\{\s{0,100}"resourceLogs"\s{0,100}:\s{0,100}\[/;
const HEAD_BYTES = 2_000;

/**
 * The lines of a batch, one after the other, without blank ones. A JSON array counts as its entries, and so do
 * `Records` of CloudTrail's files and the records in `resourceLogs`, also of each line. `undefined` is no line, but a turn for others
 * while a list is checked.
 */
export function* linesOf(text: string, budget: FieldBudget): Generator<Line | undefined> {
  if (yield* listIn(text, LIST, budget)) return;
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from);
    const end = newline === -1 ? text.length : newline;
    const raw = text
      .slice(from, end)
      .trimEnd()
      .replace(/^\uFEFF/, '');
    if (raw !== '' && !(yield* listIn(raw, OTLP, budget))) yield { raw, value: objectIn(raw, budget) };
    from = end + 1;
  }
}

/** @returns false for a text that is no list of this form: it has given no lines */
function* listIn(text: string, form: RegExp, budget: FieldBudget): Generator<Line | undefined, boolean> {
  if (!form.test(text.slice(0, HEAD_BYTES))) return false;
  const bytes = Buffer.from(text);
  if ((yield* entryCount(bytes)) === undefined) return false;
  yield* entriesOf(bytes, budget);
  return true;
}

/** The number of lines or entries of a batch, with a turn for others after each entry; stops counting above the limit. */
export function* countLines(bytes: Buffer): Generator<undefined, number> {
  const isList = LIST.test(bytes.subarray(0, HEAD_BYTES).toString('latin1'));
  const entries = isList ? yield* entryCount(bytes) : undefined;
  if (entries !== undefined) return entries;
  // the last line may lack its newline
  let count = bytes.at(-1) === NEWLINE ? 0 : 1;
  for (let at = bytes.indexOf('\n'); at !== -1 && count <= MAX_LINES; at = bytes.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** A whole number that a double may round. */
const LONG_NUMBER = /[:,[]\s{0,10}-?\d{16}/;

/** Keeps such a number as the text of its digits. */
const withDigits = (_: string, value: unknown, { source = '' }: { source?: string } = {}): unknown =>
  typeof value === 'number' && /^-?\d{16,}$/.test(source) && !Number.isSafeInteger(value) ? source : value;

/** @returns undefined for a line that is no JSON object, or one that is too large, too deep or over the budget: it is kept as text */
export function objectIn(line: string, budget: FieldBudget): object | undefined {
  if (line[0] !== '{' || line.length > MAX_LINE || isSpent(budget)) return undefined;
  const { values, excess } = costOf(line, MAX_LEVELS, MAX_EVENT_VALUES);
  budget.values -= values;
  if (excess || isSpent(budget)) return undefined;
  try {
    const value: unknown = LONG_NUMBER.test(line) ? JSON.parse(line, withDigits) : JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `resourceLogs`, a list whose objects have a list `scopeLogs`, whose objects have a list `logRecords`. */
const OF_OTLP = ['resourceLogs', 'scopeLogs', 'logRecords'];
const isOfOtlp = (path: JsonPath): boolean =>
  path.length < 2 * OF_OTLP.length &&
  path.every((part, n) => (n % 2 === 0 ? part === OF_OTLP[n / 2] : typeof part === 'number'));

const isWalked = (path: JsonPath): boolean => isOfOtlp(path) || (path.length === 1 && path[0] === 'Records');

/** `resource`: where the records of a list come from. Every known writer names it before them. */
type EntryText = { entry: Uint8Array; resource?: Uint8Array | undefined };

function* entryTexts(bytes: Buffer): Generator<EntryText> {
  let resource: Uint8Array | undefined;
  for (const { path, opens, bytes: entry } of splitWhole(bytes, isWalked)) {
    if (opens && path.length === 2) resource = undefined;
    else if (!opens && path.length === 3 && path[2] === 'resource') resource = entry;
    else if (!opens && typeof path.at(-1) === 'number') yield { entry, resource };
  }
}

const OPEN_OBJECT = 0x7b;

/** @returns undefined for what is no list of objects */
function* entryCount(bytes: Buffer): Generator<undefined, number | undefined> {
  let count = 0;
  try {
    for (const { entry } of entryTexts(bytes)) {
      if (entry[0] !== OPEN_OBJECT) return undefined;
      count += 1;
      if (count > MAX_LINES) return count;
      yield;
    }
    return count;
  } catch (error) {
    if (error instanceof ReportError) return undefined;
    throw error;
  }
}

function* entriesOf(bytes: Buffer, budget: FieldBudget): Generator<Line> {
  for (const { entry, resource } of entryTexts(bytes)) {
    budget.records -= 1;
    budget.resources -= resource?.length ?? 0;
    if (isSpent(budget)) return;
    const own = Buffer.from(entry).toString('utf8');
    const raw = resource ? `{"resource":${Buffer.from(resource).toString('utf8')},${own.slice(1)}` : own;
    const value = objectIn(raw, budget);
    yield { raw: value ? JSON.stringify(value) : raw, value };
  }
}
