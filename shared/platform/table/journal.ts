import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Dynamo } from '../runtime/dynamo.ts';
import { Overtaken } from '../runtime/errors.ts';
import { newId } from '../runtime/ids.ts';
import { retry } from '../runtime/retry.ts';
import { commit, MAX_TRANSACTION, type Write } from './io/commit.ts';
import { queryRows } from './io/read.ts';
import { condition } from './io/row.ts';
import { type Adds, addMark, effective, joinAdds } from './layout/contribution.ts';
import type { Key, Keys, Row } from './layout/keys.ts';

/**
 * Changes of bulk batches in rows that many records share. A batch of 48 findings changes about 200 of these rows, and
 * the next batch changes most of them again. A batch therefore notes its changes in one row, in its own transaction,
 * and shares no row with the next. `workJournal` adds up the notes of many batches and writes each row once for all of
 * them, also when a worker dies in between.
 *
 * Rows of positions and marks are sums, so a bit must be set before it is cleared: before a plain write moves bits of a
 * record that it has read, it settles the notes of the record.
 */
export type Noted = { marks: MarksNoted[]; adds: Adds };
type MarksNoted = { ordinal: number; set: readonly string[]; clear: readonly string[] };

export const isNoted = ({ marks, adds }: Noted): boolean => marks.length > 0 || adds.size > 0;

/** Functions of a release that knew only marks leave these entries to the others: their own begin with `e`. */
const ENTRY = 'n';
const isEntry = ({ sk }: Row): boolean => sk.startsWith(ENTRY) || sk.startsWith('e');

/** By mark: the records that gain the mark, and the records that lose it. */
type MarkNotes = Map<string, { set: number[]; clear: number[] }>;

function noteOf(notes: MarkNotes, mark: string): { set: number[]; clear: number[] } {
  const note = notes.get(mark) ?? { set: [], clear: [] };
  notes.set(mark, note);
  return note;
}

/** The text of an entry. Sums of bits are texts, because a JSON number holds only 53 bits. */
type Entry = {
  /** The ordinals of the records whose bits change. */
  records: number[];
  marks: [mark: string, set: number[], clear: number[]][];
  counts: [pk: string, sk: string, changes: [name: string, amount: number | string][]][];
};

/** The write that stores a batch's notes. Entries are worked in the order of their keys, which is the order of time. */
export function journalWrite(keys: Keys, { marks, adds }: Noted): Write {
  const notes: MarkNotes = new Map();
  for (const { ordinal, set, clear } of marks) {
    for (const mark of set) noteOf(notes, mark).set.push(ordinal);
    for (const mark of clear) noteOf(notes, mark).clear.push(ordinal);
  }
  const entry: Entry = {
    records: marks.map(({ ordinal }) => ordinal),
    marks: [...notes].map(([mark, { set, clear }]) => [mark, set, clear]),
    counts: effective(adds).map(({ key, changes }) => [
      key.pk,
      key.sk,
      changes.map(([name, amount]) => [name, typeof amount === 'bigint' ? String(amount) : amount]),
    ]),
  };
  return { put: { ...keys.journal(`${ENTRY}${newId()}`), notes: deflateRawSync(JSON.stringify(entry)) } };
}

function entryIn(row: Row): Entry {
  const entry: Entry | Entry['marks'] = JSON.parse(inflateRawSync(row.notes as Uint8Array).toString());
  if (!Array.isArray(entry)) return entry;
  return { records: entry.flatMap(([, ...ordinals]) => ordinals.flat()), marks: entry, counts: [] };
}

/** Entries that are worked together; they are removed in one transaction. */
const ENTRIES = 90;
const ROWS = MAX_TRANSACTION - 2;

/**
 * The progress of a run: the entries that it adds up, and how many of their rows are written. The first entry names it.
 */
type Progress = { run: string; entries: string[]; done: number };

/**
 * Works the journal if it holds notes of these records. Notes of other records may wait: a batch that notes a record
 * meanwhile changes its version, so that the plain write fails and is made again.
 */
export async function settleNotes(dynamo: Dynamo, keys: Keys, ordinals: ReadonlySet<number>): Promise<void> {
  const rows = await queryRows(dynamo, { pk: keys.journal('').pk, all: true, consistent: true });
  const concerns = (row: Row) => entryIn(row).records.some((one) => ordinals.has(one));
  if (rows.filter(isEntry).some(concerns)) await workJournal(dynamo, keys);
}

/**
 * Brings the current notes into the index; notes that other writers add meanwhile may stay. Any number of workers may
 * do so at once: each step is written once, and a worker that was overtaken reads again. It ends when the notes of its
 * start are gone, so that many simultaneous workers do not overtake each other for long.
 */
export function workJournal(dynamo: Dynamo, keys: Keys): Promise<void> {
  const sums = new Map<string, Changes>();
  let wanted: ReadonlySet<string> | undefined;
  return retry(async () => {
    const rows = await queryRows(dynamo, { pk: keys.journal('').pk, all: true, consistent: true });
    const found = rows.filter(isEntry);
    wanted ??= new Set(found.map(({ sk }) => sk));
    const isLeft = ({ sk }: Row) => wanted?.has(sk);
    let before = rows.find(({ sk }) => sk === 'progress') as Progress | undefined;
    for (let left = found; left.some(isLeft); before = undefined) {
      const names = new Set(before?.entries ?? left.slice(0, ENTRIES).map(({ sk }) => sk));
      const entries = left.filter(({ sk }) => names.has(sk));
      if (entries.length < names.size) throw new Overtaken(); // another worker ended the run between two pages
      await workRun(dynamo, { keys, entries, before }, sums);
      left = left.filter(({ sk }) => !names.has(sk));
    }
  });
}

/**
 * Works the entries of one run to its end, from its stored progress.
 * @param sums of the runs that this worker began, for the case that it is overtaken
 */
async function workRun(dynamo: Dynamo, run: Run, sums: Map<string, Changes>): Promise<void> {
  const name = run.entries.map(({ sk }) => sk).join();
  const changes = sums.get(name) ?? sumsOf(run);
  sums.set(name, changes);
  let { before } = run;
  if (!before && changes.length + run.entries.length < MAX_TRANSACTION) return end(dynamo, run, changes);
  while ((before?.done ?? 0) < changes.length) {
    const done = before?.done ?? 0;
    before = await go(dynamo, { ...run, before }, changes.slice(done, done + ROWS));
  }
  await end(dynamo, { ...run, before }, []);
}

type Run = { keys: Keys; entries: Row[]; before: Progress | undefined };
type Changes = ReturnType<typeof effective>;

/** The sums of all notes. The same entries give the same order, so that another worker can go on where one stopped. */
function sumsOf({ keys, entries }: Run): Changes {
  const all: MarkNotes = new Map();
  const adds: Adds = new Map();
  for (const { marks, counts } of entries.map(entryIn)) {
    for (const [mark, set, clear] of marks) {
      const note = noteOf(all, mark);
      note.set.push(...set);
      note.clear.push(...clear);
    }
    joinAdds(adds, addsIn(counts));
  }
  for (const [mark, note] of all) addMark(adds, keys, { mark, ...note });
  return effective(adds).sort((a, b) => (nameOf(a.key) < nameOf(b.key) ? -1 : 1));
}

const addsIn = (counts: Entry['counts']): Adds =>
  addsOf(
    counts.map(([pk, sk, changes]) => ({
      key: { pk, sk },
      changes: changes.map(([name, amount]) => [name, typeof amount === 'string' ? BigInt(amount) : amount]),
    })),
  );

const nameOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;
const addsOf = (changes: Changes): Adds =>
  new Map(changes.map(({ key, changes }) => [nameOf(key), { key, add: new Map(changes) }]));
const fail = () => new Overtaken();

/**
 * Writes some rows and notes the progress. The entries must still be there, or another worker has ended the run.
 * @returns the progress
 */
async function go(dynamo: Dynamo, { keys, entries, before }: Run, changes: Changes): Promise<Progress> {
  const names = entries.map(({ sk }) => sk);
  const [run = ''] = names;
  const next: Progress = { run, entries: names, done: (before?.done ?? 0) + changes.length };
  await commit(
    dynamo,
    [
      { put: { ...keys.journal('progress'), ...next }, condition: unchanged(before), fail },
      { check: keys.journal(run), condition: condition({}), fail },
    ],
    addsOf(changes),
  );
  return next;
}

/** Removes the entries, and the progress. A run that fits one transaction has none: another worker's run may not have begun with its entries. */
function end(dynamo: Dynamo, { keys, entries, before }: Run, changes: Changes): Promise<void> {
  const removals = entries.map(({ pk, sk }): Write => ({ remove: { pk, sk }, condition: condition({}), fail }));
  const progress = keys.journal('progress');
  const last: Write = { ...(before ? { remove: progress } : { check: progress }), condition: unchanged(before), fail };
  return commit(dynamo, [...removals, last], addsOf(changes));
}

const unchanged = (before: Progress | undefined) =>
  condition(before ? { run: before.run, done: before.done } : 'absent');
