import { type OpenReport, ReportError } from '../report/report.ts';
import { newContextBudget, spend } from './context-budget.ts';
import { type Entry, entryOf } from './entries.ts';
import type { JsonObject } from './json.ts';
import { type JsonPath, type JsonValue, parseValue, splitJson } from './json-stream.ts';

/**
 * Keys from the document's root to an entry. `[]` matches each element of a list, `*` also each member of an object.
 */
type Pattern = readonly string[];

export type NestedEntry = Entry & {
  path: JsonPath;
  /** The objects around the entry, the outermost first, without the lists and objects on the way to entries. */
  parents: JsonObject[];
};

type Nested = {
  entries: readonly Pattern[];
  /** Large parts that nobody reads: they are checked piece by piece and may be of any size. */
  ignored?: readonly Pattern[];
  /**
   * Whether an object on the way, for example the document's root, shows the format although there is no list: nothing
   * was found.
   */
  isReport?: (object: JsonObject) => boolean;
  /** Receives the objects around the entries before the first entry: they name what the tool looked at. */
  onAround?: (objects: Iterable<JsonObject>) => void;
  /** Members without which an object on the way is of no use: it is rejected, never passed over. */
  required?: readonly Pattern[];
};

/** By the path of an object on the way: its members, without entries, so that the lists of them are empty. */
type Around = Map<string, JsonObject>;

/**
 * The entries at all places of these patterns, one in memory at a time, with the values around them. Reads the document
 * twice, because `jq` and other tools sort keys: the description of a list may come after it.
 * @throws unsupported_format when the document has no such list
 */
export async function* nestedEntries(open: OpenReport, nested: Nested): AsyncGenerator<NestedEntry> {
  const walked = [...nested.entries, ...(nested.ignored ?? [])];
  const descend = (path: JsonPath) => walked.some((pattern) => path.length < pattern.length && matches(path, pattern));
  const isEntry = ({ path, opens }: JsonValue) => !opens && nested.entries.some((one) => isAt(path, one));
  const isIgnored = ({ path }: JsonValue) => (nested.ignored ?? []).some((one) => isAt(path, one));
  const around: Around = new Map<string, JsonObject>();
  const budget = newContextBudget();
  let found = false;
  for await (const value of splitJson(open(), descend)) {
    found ||= value.opens !== undefined && nested.entries.some((one) => isAt(value.path, one.slice(0, -1)));
    if (isEntry(value) || isIgnored(value)) continue;
    spend(budget, 2 * value.bytes.length + 200);
    addTo(around, value);
  }
  found ||= [...around.values()].some((object) => nested.isReport?.(object));
  if (!found) throw noList(nested.entries);
  nested.onAround?.(around.values());
  yield* lacking(around, nested.required ?? []);
  const parentsOf = parentsIn(around);
  for await (const value of splitJson(open(), descend)) {
    if (isIgnored(value)) parseValue(value);
    if (!isEntry(value)) continue;
    const parents = parentsOf(value.path);
    yield { ...entryOf(parseValue(value), printed(value.path)), path: value.path, parents };
  }
}

/** Neighbours in a list have the same parents, so one lookup serves them. */
function parentsIn(around: Around): (path: JsonPath) => JsonObject[] {
  let last: JsonPath = [];
  let parents: JsonObject[] = [];
  return (path) => {
    const areSiblings = path.length === last.length && last.every((key, n) => n === last.length - 1 || key === path[n]);
    if (!areSiblings) {
      const ways = path.map((_, depth) => around.get(JSON.stringify(path.slice(0, depth))));
      parents = ways.filter((parent) => parent !== undefined);
    }
    last = path;
    return parents;
  };
}

const matches = (path: JsonPath, pattern: Pattern): boolean =>
  path.every((key, depth) => {
    const wanted = pattern[depth];
    return wanted === key || wanted === '*' || (wanted === '[]' && typeof key === 'number');
  });

const isAt = (path: JsonPath, pattern: Pattern): boolean => path.length === pattern.length && matches(path, pattern);

function addTo(around: Around, { path, opens, ...value }: JsonValue): void {
  const object: JsonObject = {};
  if (opens === 'object') around.set(JSON.stringify(path), object);
  const parent = around.get(JSON.stringify(path.slice(0, -1)));
  if (!parent || path.length === 0) return;
  const content = opens ? (opens === 'array' ? [] : object) : parseValue({ path, ...value });
  // the last value of a repeated key counts, as in JSON.parse
  Object.defineProperty(parent, String(path.at(-1)), { value: content, enumerable: true, configurable: true });
}

function* lacking(around: Around, required: readonly Pattern[]): Generator<NestedEntry> {
  for (const [key, object] of required.length > 0 ? around : []) {
    const path: JsonPath = JSON.parse(key);
    const missing = required.find((one) => isAt(path, one.slice(0, -1)) && !Object.hasOwn(object, one.at(-1) ?? ''));
    if (missing) yield { where: printed(path), path, parents: [], problem: `it has no ${missing.at(-1)}` };
  }
}

/** `Results[0].Vulnerabilities[3]` */
const printed = (path: JsonPath): string =>
  path.map((key, depth) => (typeof key === 'number' ? `[${key}]` : depth === 0 ? key : `.${key}`)).join('');

function noList(patterns: readonly Pattern[]): ReportError {
  const lists = [...new Set(patterns.map((pattern) => pattern.slice(0, -1).join('.') || 'of entries'))];
  return new ReportError(
    'unsupported_format',
    `The report has no list ${lists.slice(0, 3).join(' or ')}: name the format it has.`,
  );
}
