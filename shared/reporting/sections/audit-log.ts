import { BY_TIME } from '#shared/platform/feed/audit.ts';
import { kindOf } from '#shared/platform/feed/audit-filter.ts';
import type { Announced } from '#shared/platform/feed/log.ts';
import { numberChanges } from '#shared/platform/feed/number.ts';
import { readAudit } from '#shared/platform/feed/read-audit.ts';
import { verifyLog } from '#shared/platform/feed/verify.ts';
import type { Counting } from '../counting.ts';
import type { Cell } from '../document.ts';
import { defineSection, type Page, tableOf } from '../section.ts';

const SHOWN = 100;
const AT_ONCE = 500;

/** The entries of the period up to the last that the log had when it was checked, newest first. */
async function* entriesOf({ table, since, at }: Counting, last: number): AsyncGenerator<Announced> {
  const period = { of: BY_TIME, from: `${since}T00:00:00.000Z`, to: new Date(at).toISOString() };
  let before: number | undefined;
  do {
    const { data, next } = await readAudit(table, { ...period, before }, { limit: AT_ONCE, fits: () => true });
    yield* data.filter(({ number }) => number <= last);
    before = next ?? undefined;
  } while (before !== undefined);
}

const shownOf = ({ number, entry, change, event }: Announced) => ({
  number,
  at: entry.at,
  actor: entry.by.name,
  operation: entry.cause.operation,
  kind: kindOf({ change, event }),
  record: change?.entity ?? null,
  recordId: change?.id ?? null,
  fields: change ? [...Object.keys(change.fields), ...change.masked].sort() : [],
  ip: entry.cause.ip ?? null,
  requestId: entry.cause.requestId ?? null,
});

/** The entries of the period, and whether the whole log is as it was written: each part has a hash over itself and the one before. */
async function gather(counting: Counting) {
  await numberChanges(counting.table); // the entries until now are in what is verified
  const { at, end, broken } = await verifyLog(counting);
  const last = end.next - 1;
  const first: ReturnType<typeof shownOf>[] = [];
  let total = 0;
  for await (const entry of entriesOf(counting, last)) {
    total++;
    if (first.length < SHOWN) first.push(shownOf(entry));
  }
  return { broken: broken ?? null, checked: at.next - 1, last, endHash: at.hash, total, first };
}

const rowOf = ({ fields, ...entry }: ReturnType<typeof shownOf>, page: Page): Cell[] => [
  ...[String(entry.number), entry.at, entry.actor, entry.operation, page.say(entry.kind)],
  ...[entry.record, entry.recordId, fields.join(', '), entry.ip, entry.requestId],
];

/** The words of `generateReport` or `make_report`. */
function inWords(operation: string): string {
  const words = operation
    .replaceAll('_', ' ')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Readers of pages get times and names of operations in words. The files of tables have them as the log has. */
const shownFor = (entry: ReturnType<typeof shownOf>, page: Page) => ({
  ...entry,
  at: page.time(entry.at),
  operation: inWords(entry.operation),
});

/** The audit log of the period with its verification: on pages the newest hundred entries, all of them in the files of tables. */
export const auditLog = defineSection<Awaited<ReturnType<typeof gather>>>({
  title: 'verification',
  gather,
  blocks: ({ broken, checked, endHash, total, first }, page) => [
    broken === null
      ? { block: 'verdict', tone: 'none', label: null, text: page.say('auditSound', { n: page.number(checked) }) }
      : { block: 'verdict', tone: 'worse', label: null, text: page.say('auditBroken', { from: String(broken) }) },
    { block: 'text', text: page.say('auditHash', { checked: String(checked), hash: endHash || page.say('none') }) },
    { block: 'text', text: page.say('auditWords') },
    tableOf(page, {
      id: 'audit_log',
      title: 'entries',
      columns: [
        ['number', 'number', 0.1, { under: 'at' }],
        ['at', 'at', 0.24],
        ['actor', 'actor', 0.16],
        ['operation', 'operation', 0.22],
        ['kind', 'kindOfEntry', 0.12, { under: 'operation' }],
        ['record', 'record', 0.38],
        ['recordId', 'recordId', 0.36, { under: 'record' }],
        ['fields', 'fields', 0.2, { under: 'record' }],
        ['ip', 'address', 0.12, { under: 'actor' }],
        ['requestId', 'requestId', 0.2, { under: 'operation' }],
      ],
      rows: first.map((one) => rowOf(shownFor(one, page), page)),
      total,
      empty: 'noEntries',
    }),
  ],
  rows: {
    async *audit_log(counting, page, { last }) {
      for await (const entry of entriesOf(counting, last)) yield rowOf(shownOf(entry), page);
    },
  },
});
