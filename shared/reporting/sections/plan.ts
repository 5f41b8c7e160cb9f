import { remediations as records } from '#shared/findings/triage/remediation.ts';
import { progressOf } from '#shared/findings/triage/remediations.ts';
import { filtered, listed } from '#shared/platform/http/figures.ts';
import { fixGroup } from '#shared/vulnerabilities/vulnerability/record.ts';
import { fixGroups } from '#shared/vulnerabilities/vulnerability/vulnerability-group.ts';
import type { Counting } from '../counting.ts';
import { defineSection, tableOf } from '../section.ts';

const SHOWN = { paginateFrom: 0, paginateSize: 50 };

/** Upgrades are groups of the whole organization: a part or a choice of findings has none. */
async function gatherUpgrades({ table }: Counting) {
  if (table.part) return null;
  const { data, totalCount } = await table.list(fixGroups, { ...SHOWN, sort: 'closes' });
  const rows = data.map(fixGroup).map(({ component, version, closes, assets, severity, links }) => {
    const list = links.list.closes;
    return { name: component.name, version, closes: list ? { value: closes, list } : closes, assets, severity };
  });
  return { rows, total: totalCount };
}

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
          rows: facts.rows.map(({ name, version, closes, assets, severity }) => [
            name,
            version,
            typeof closes === 'number' ? closes : { text: page.number(closes.value), link: page.link(closes.list) },
            assets,
            page.say(severity),
          ]),
          total: facts.total,
        }),
  ],
});

const LEFT = ['planned', 'in_progress', 'done'] as const;

async function gatherRemediations({ table }: Counting) {
  const { data, totalCount } = await table.list(records, { ...SHOWN, where: { status: LEFT } });
  const progress = await Promise.all(data.map(({ id }) => progressOf(table, id)));
  const rows = data.map(({ id, title, assignee, dueAt, status }, n) => {
    const list = filtered('/api/v1/findings')(`remediation:${id}`);
    const { total = 0, fixed = 0, fixedByScan = 0 } = progress[n] ?? {};
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
  });
  return { all: { value: totalCount, list: listed('/api/v1/remediations', { status: LEFT.join() }) }, rows };
}

/** Planned work, with its owner, its due date and what scans have proven. */
export const remediations = defineSection<Awaited<ReturnType<typeof gatherRemediations>>>({
  title: 'remediations',
  gather: gatherRemediations,
  blocks: ({ all, rows }, page) => [
    tableOf(page, {
      id: 'remediations',
      title: 'remediations',
      columns: [
        ['title', 'remediation', 0.34],
        ['owner', 'owner', 0.18],
        ['due', 'due', 0.12],
        ['status', 'status', 0.12],
        ['findings', 'findings', 0.08, 'right'],
        ['fixed', 'fixed', 0.08, 'right'],
        ['proven', 'proven', 0.08, 'right'],
      ],
      rows: rows.map(({ title, assignee, dueAt, status, findings, fixed, fixedByScan }) => [
        title,
        assignee,
        page.day(dueAt),
        page.say(status),
        { text: page.number(findings.value), link: page.link(findings.list) },
        fixed,
        fixedByScan,
      ]),
      total: all.value,
    }),
  ],
});
