import { findings as records, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { type Counting, countEach, countFindings, matchingOf, OPEN } from '../counting.ts';
import type { Cell } from '../document.ts';
import { eachFinding } from '../records.ts';
import { defineSection, type Page, SEVERITIES, tableOf } from '../section.ts';

const SHOWN = 50;

type Shown = Pick<StoredFinding, 'id' | 'title' | 'severity' | 'status' | 'priority' | 'cves' | 'asset' | 'tool'> &
  Partial<Pick<StoredFinding, 'firstSeenAt' | 'dueAt' | 'location'>>;

const shownOf = ({ id, title, severity, status, priority, cves, asset, tool }: Shown) => ({
  id,
  title,
  severity,
  status,
  priority,
  cves,
  tool,
  asset: asset.name,
});

async function gather(counting: Counting) {
  const matching = await matchingOf(counting, 'finding', `${counting.findings} ${OPEN}`.trim());
  const [figures, urgent] = await Promise.all([
    countEach(countFindings, counting, {
      open: OPEN,
      ...Object.fromEntries(SEVERITIES.map((severity) => [severity, `${OPEN} severity:${severity}`])),
    }),
    counting.table.list(records, { paginateFrom: 0, paginateSize: SHOWN, matching, sort: 'priority' }),
  ]);
  return { figures, urgent: urgent.data.map(shownOf) };
}

const COLUMNS = [
  ['title', 'finding', 0.32],
  ['severity', 'severity', 0.1],
  ['priority', 'priority', 0.1, 'right'],
  ['cves', 'cves', 0.17],
  ['asset', 'asset', 0.21],
  ['tool', 'tool', 0.1],
] as const;

type Row = ReturnType<typeof shownOf>;

const rowOf = ({ id, title, severity, priority, cves, asset, tool }: Row, page: Page): Cell[] => [
  { text: title, link: page.link(`/api/v1/findings/${id}`) },
  page.say(severity),
  ...[priority, cves.join(', '), asset, tool],
];

/** The open findings: the fifty of highest priority on pages, all of them in the files of tables. */
export const findings = defineSection<Awaited<ReturnType<typeof gather>>>({
  title: 'findings',
  appendix: true,
  gather,
  blocks: ({ figures, urgent }, page) => [
    tableOf(page, {
      id: 'findings',
      title: 'findingsTitle',
      columns: [...COLUMNS.map(([...column]) => column)],
      rows: urgent.map((row) => rowOf(row, page)),
      total: figures.open?.value ?? 0,
      empty: 'noneOpen',
    }),
  ],
  rows: {
    async *findings(counting, page) {
      for await (const finding of eachFinding(counting, OPEN)) yield rowOf(shownOf(finding), page);
    },
  },
});
