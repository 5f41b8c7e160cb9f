import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { acceptanceOf } from '#shared/findings/finding/finding-decision.ts';
import { MAX_PAGE_SIZE } from '#shared/platform/http/pagination.ts';
import { type Counting, countEach, countFindings, dayBefore, matchingOf } from '../counting.ts';
import type { Cell } from '../document.ts';
import { eachFinding } from '../records.ts';
import { defineSection, type Page, tableOf } from '../section.ts';

const SOON = [30, 90] as const;
const SHOWN = 10;
const ACCEPTED = 'status:risk_accepted';
/** The sentence names so many approvers; the table has those of each acceptance. */
const NAMED = 3;

/** The accepted risks that end first. Those without an end come after them, the newest first. */
async function firstToEnd(counting: Counting, n: number) {
  const matching = await matchingOf(counting, 'finding', `${counting.findings} ${ACCEPTED}`.trim());
  const page = { paginateFrom: 0, paginateSize: n, matching };
  const [ending, newest] = await Promise.all([
    counting.table.list(findings, { ...page, sort: 'accepted' }),
    counting.table.list(findings, page),
  ]);
  const known = new Set(ending.data.map(({ id }) => id));
  return [...ending.data, ...newest.data.filter(({ id }) => !known.has(id))].slice(0, n);
}

async function gather(counting: Counting) {
  const [figures, first] = await Promise.all([
    countEach(countFindings, counting, {
      all: ACCEPTED,
      in30: `${ACCEPTED} acceptanceEnds:${counting.today}..${dayBefore(counting, -SOON[0])}`,
      in90: `${ACCEPTED} acceptanceEnds:${counting.today}..${dayBefore(counting, -SOON[1])}`,
    }),
    firstToEnd(counting, MAX_PAGE_SIZE),
  ]);
  const approvers = Map.groupBy(first, (finding) => acceptanceOf(finding)?.approver?.name ?? null);
  const by = [...approvers].map(([name, some]) => ({ name, n: some.length })).sort((a, b) => b.n - a.n);
  return { ...figures, counted: first.length, by, first: first.slice(0, SHOWN).map(acceptedRow) };
}

function acceptedRow(finding: Pick<StoredFinding, 'id' | 'title' | 'severity' | 'asset' | 'status'>) {
  const { id, title, severity, asset } = finding;
  const { approver = null, reason = null, until = null } = acceptanceOf(finding) ?? {};
  return { id, title, severity, asset: asset.name, approver: approver?.name ?? null, reason, until };
}

const rowOf = (row: ReturnType<typeof acceptedRow>, page: Page): Cell[] => {
  const { id, title, severity, asset, until, approver, reason } = row;
  return [
    { text: title, link: page.link(`/api/v1/findings/${id}`) },
    page.say(severity),
    ...[asset, until === null ? page.say('unlimited') : page.day(until), approver, reason],
  ];
};

type Accepted = Awaited<ReturnType<typeof gather>>;

/** How many risks are accepted, by whom, and which acceptances end first. */
export const accepted = defineSection<Accepted>({
  title: 'accepted',
  gather,
  figures: ({ all, in30, in90 }, page) => [
    [page.say('accepted'), all],
    [page.say('endsIn', { n: SOON[0] }), in30],
    [page.say('endsIn', { n: SOON[1] }), in90],
  ],
  blocks: ({ all, in30, in90, counted, by, first }, page) => {
    if (all.value === 0) return [{ block: 'text', text: page.say('noneAccepted') }];
    const who = by
      .slice(0, NAMED)
      .map(({ name, n }) => `${name === null ? page.say('nobody') : page.short(name, 16)} (${page.number(n)})`)
      .join(', ');
    const more = by.length - NAMED;
    const sentences = [
      page.say('acceptedText', {
        n: page.number(all.value),
        in30: page.number(in30.value),
        in90: page.number(in90.value),
      }),
      page.say('acceptedBy', { who: more > 0 ? page.say('andMore', { names: who, n: page.number(more) }) : who }),
      ...(counted < all.value ? [page.say('acceptedCounted', { n: page.number(counted) })] : []),
    ];
    return [
      { block: 'text', text: sentences.join(' ') },
      tableOf(page, {
        id: 'acceptances_ending',
        title: 'acceptedTitle',
        columns: [
          ['title', 'finding', 0.28],
          ['severity', 'severity', 0.1],
          ['asset', 'asset', 0.22],
          ['until', 'until', 0.14],
          ['approver', 'approver', 0.2, { under: 'reason' }],
          ['reason', 'reason', 0.26],
        ],
        rows: first.map((row) => rowOf(row, page)),
        total: all.value,
      }),
    ];
  },
  rows: {
    async *acceptances_ending(counting, page) {
      for await (const finding of eachFinding(counting, ACCEPTED)) yield rowOf(acceptedRow(finding), page);
    },
  },
});
