import { type Remediation, remediations as records } from '#shared/findings/triage/remediation.ts';
import { progressOf } from '#shared/findings/triage/remediations.ts';
import { filtered, listed } from '#shared/platform/http/figures.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { fixGroup } from '#shared/vulnerabilities/vulnerability/record.ts';
import { fixGroups } from '#shared/vulnerabilities/vulnerability/vulnerability-group.ts';
import type { Counting } from '../counting.ts';
import type { Cell } from '../document.ts';
import { each } from '../records.ts';
import { defineSection, type Page, tableOf } from '../section.ts';

const SHOWN = { paginateFrom: 0, paginateSize: 50 };

/** Upgrades are groups of the whole organization: a part or a choice of findings has none. */
async function gatherUpgrades({ table }: Counting) {
  if (table.part) return null;
  const { data, totalCount } = await table.list(fixGroups, { ...SHOWN, sort: 'closes' });
  return { rows: data.map(upgradeOf), total: totalCount };
}

function upgradeOf(group: Parameters<typeof fixGroup>[0]) {
  const { component, version, closes, assets, severity, links } = fixGroup(group);
  const list = links.list.closes;
  return { name: component.name, version, closes: list ? { value: closes, list } : closes, assets, severity };
}

const upgradeRow = ({ name, version, closes, assets, severity }: ReturnType<typeof upgradeOf>, page: Page): Cell[] => [
  ...[name, version],
  typeof closes === 'number' ? closes : { text: page.number(closes.value), link: page.link(closes.list) },
  assets,
  page.say(severity),
];

/** The upgrades that close most vulnerabilities. */
export const upgrades = defineSection<Awaited<ReturnType<typeof gatherUpgrades>>>({
  title: 'upgrades',
  gather: gatherUpgrades,
  blocks: (facts, page) => [
    facts === null
      ? { block: 'text', text: page.say('notSeen') }
      : tableOf(page, {
          id: 'upgrades',
          title: 'upgrades',
          columns: [
            ['component', 'component', 0.4],
            ['version', 'version', 0.18],
            ['closes', 'closes', 0.14, 'right'],
            ['assets', 'assets', 0.14, 'right'],
            ['severity', 'severity', 0.14],
          ],
          rows: facts.rows.map((row) => upgradeRow(row, page)),
          total: facts.total,
          empty: 'noUpgrades',
        }),
  ],
  rows: {
    async *upgrades({ table }, page) {
      if (table.part) return;
      for await (const some of each(table, fixGroups)) for (const one of some) yield upgradeRow(upgradeOf(one), page);
    },
  },
});

const LEFT = ['planned', 'in_progress', 'done'] as const;

async function gatherRemediations({ table }: Counting) {
  const { data, totalCount } = await table.list(records, { ...SHOWN, where: { status: LEFT } });
  const rows = await Promise.all(data.map((one) => workOf(table, one)));
  return { all: { value: totalCount, list: listed('/api/v1/remediations', { status: LEFT.join() }) }, rows };
}

async function workOf(table: Table, { id, title, assignee, dueAt, status }: Planned) {
  const list = filtered('/api/v1/findings')(`remediation:${id}`);
  const { total, fixed, fixedByScan } = await progressOf(table, id);
  return {
    id,
    title,
    assignee: assignee?.name ?? null,
    dueAt,
    status,
    findings: { value: total, list },
    fixed,
    fixedByScan,
  };
}
type Planned = Pick<Remediation, 'id' | 'title' | 'assignee' | 'dueAt' | 'status'>;

const workRow = (work: Awaited<ReturnType<typeof workOf>>, page: Page): Cell[] => [
  ...[work.title, work.assignee, page.day(work.dueAt), page.say(work.status)],
  { text: page.number(work.findings.value), link: page.link(work.findings.list) },
  ...[work.fixed, work.fixedByScan],
];

/** Planned work, with its owner, its due date and what scans have proven. */
export const remediations = defineSection<Awaited<ReturnType<typeof gatherRemediations>>>({
  title: 'remediations',
  gather: gatherRemediations,
  blocks: ({ all, rows }, page) => [
    tableOf(page, {
      id: 'remediations',
      title: 'remediations',
      columns: [
        ['title', 'remediation', 0.28],
        ['owner', 'owner', 0.16],
        ['due', 'due', 0.13],
        ['status', 'status', 0.11],
        ['findings', 'findings', 0.11, 'right'],
        ['fixed', 'fixedInPeriod', 0.11, 'right'],
        ['proven', 'proven', 0.1, 'right'],
      ],
      rows: rows.map((row) => workRow(row, page)),
      total: all.value,
      empty: 'nothingPlanned',
    }),
  ],
  rows: {
    async *remediations({ table }, page) {
      for await (const some of each(table, records, { where: { status: LEFT } }))
        for (const one of some) yield workRow(await workOf(table, one), page);
    },
  },
});
