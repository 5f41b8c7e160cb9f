import { applications } from '#shared/exposure/applications/application.ts';
import { openRisksOf } from '#shared/exposure/applications/open-risk.ts';
import { applicationRisk } from '#shared/exposure/applications/risk.ts';
import { accountNames } from '#shared/people/names.ts';
import { peopleOfTeams, teams } from '#shared/people/team.ts';
import { filtered } from '#shared/platform/http/figures.ts';
import { MAX_PAGE_SIZE } from '#shared/platform/http/pagination.ts';
import type { Marked } from '#shared/platform/table/combined.ts';
import { type Counting, OPEN } from '../counting.ts';
import type { Cell } from '../document.ts';
import { fixedInTimeOf } from '../figures/fixed-in-time.ts';
import { sum } from '../figures/percentile.ts';
import { defineSection, type Page, tableOf } from '../section.ts';

const SHOWN = 10;
/** The newest are ranked. An organization with more of them reads the rest in the list. */
const RANKED = { paginateFrom: 0, paginateSize: MAX_PAGE_SIZE };

const list = filtered('/api/v1/findings');

/** Applications with their risk, the worst first. */
async function ranked({ table, today }: Counting) {
  const page = await table.list(applications, RANKED);
  const owners = await accountNames(
    table,
    page.data.flatMap(({ ownerId }) => ownerId ?? []),
  );
  const risks = await openRisksOf(
    table,
    page.data.map(({ id }) => ({ name: 'application', values: [id] })),
  );
  const all = page.data.flatMap((application, n) => {
    const risk = risks[n];
    if (!risk) return [];
    const { id, name, ownerId } = application;
    const { score, grade } = applicationRisk(risk, application);
    const of = (filter: string) => list(`application:${id} ${filter}`);
    const { critical, high } = risk.open;
    return {
      id,
      name,
      score,
      grade,
      owner: ownerId ? (owners.get(ownerId) ?? null) : null,
      criticalAndHigh: { value: critical + high, list: of(`${OPEN} severity:critical,high`) },
      open: { value: sum(Object.values(risk.open)), list: of(OPEN) },
      overdue: { value: risk.overdue, list: of(`due<${today}`) },
    };
  });
  return { rows: all.toSorted((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1)), total: page.totalCount };
}

/** The ten applications with the highest risk, by their names. */
export const topApplications = defineSection<Awaited<ReturnType<typeof ranked>>>({
  title: 'applicationsTitle',
  gather: async (counting) => {
    const { rows, total } = await ranked(counting);
    return { rows: rows.slice(0, SHOWN), total };
  },
  blocks: ({ rows, total }, page) => [
    tableOf(page, {
      id: 'applications',
      title: 'applicationsTitle',
      columns: [
        ['name', 'application', 0.33],
        ['score', 'score', 0.11, 'right'],
        ['criticalAndHigh', 'criticalAndHigh', 0.16, 'right'],
        ['overdue', 'overdue', 0.11, 'right'],
        ['owner', 'owner', 0.29],
      ],
      rows: rows.map((row) => rowOf(row, page)),
      total,
      empty: 'noApplications',
    }),
  ],
  rows: {
    async *applications(counting, page) {
      for (const row of (await ranked(counting)).rows) yield rowOf(row, page);
    },
  },
});

const rowOf = (row: Awaited<ReturnType<typeof ranked>>['rows'][number], page: Page): Cell[] => [
  page.short(row.name, 18),
  `${row.score} (${row.grade})`,
  { text: page.number(row.criticalAndHigh.value), link: page.link(row.criticalAndHigh.list) },
  { text: page.number(row.overdue.value), link: page.link(row.overdue.list) },
  row.owner && page.short(row.owner, 16),
];

/** The rates of a group: of the open findings those that are not overdue, of the fixed vulnerabilities those fixed in time. */
async function rates(counting: Counting) {
  const [{ rows: some }, page] = await Promise.all([ranked(counting), counting.table.list(teams, RANKED)]);
  const people = await peopleOfTeams(
    counting.table,
    page.data.map(({ id }) => id),
  );
  const whose: Marked[] = page.data.map(({ id }) => ({ name: 'assigneeId', values: people.get(id) ?? [id] }));
  const marks: Marked[] = [...some.map(({ id }): Marked => ({ name: 'application', values: [id] })), ...whose];
  const [ofTeams, fixed] = await Promise.all([
    openRisksOf(counting.table, whose),
    fixedInTimeOf(counting.table, marks, counting.since),
  ]);
  const groups = [
    ...some.map(({ name, open, overdue }) => ({ type: 'application' as const, name, open, overdue })),
    ...page.data.map(({ id, name }, n) => ({
      type: 'team' as const,
      name,
      open: { value: sum(Object.values(ofTeams[n]?.open ?? {})), list: list(`team:${id} ${OPEN}`) },
      overdue: { value: ofTeams[n]?.overdue ?? 0, list: list(`team:${id} due<${counting.today}`) },
    })),
  ];
  return groups.map((group, n) => ({ ...group, ...(fixed[n] ?? { fixed: 0, late: 0 }) }));
}
type Rates = Awaited<ReturnType<typeof rates>>;

/** How many findings of each application and team are within their due date. */
export const slaRates = defineSection<Rates>({
  title: 'slaRates',
  appendix: true,
  gather: rates,
  blocks: (facts, page) => {
    const percent = (part: number, whole: number) => page.percent(whole === 0 ? null : part / whole);
    return [
      { block: 'text', text: page.say('slaRatesText') },
      tableOf(page, {
        id: 'sla_rates',
        title: 'slaRates',
        columns: [
          ['type', 'type', 0.14],
          ['name', 'name', 0.26],
          ['open', 'open', 0.1, 'right'],
          ['overdue', 'overdue', 0.12, 'right'],
          ['inTime', 'inTime', 0.14, 'right'],
          ['fixed', 'fixedInPeriod', 0.1, 'right'],
          ['fixedInTime', 'fixedInTime', 0.14, 'right'],
        ],
        rows: facts.map(({ type, name, open, overdue, fixed, late }) => [
          page.say(type),
          name,
          { text: page.number(open.value), link: page.link(open.list) },
          { text: page.number(overdue.value), link: page.link(overdue.list) },
          percent(open.value - overdue.value, open.value),
          fixed,
          percent(fixed - late, fixed),
        ]),
        empty: 'noGroups',
      }),
    ];
  },
});
