import { listed, withLists } from '#shared/platform/http/figures.ts';
import { currentDay, DAY_MS, now, nowMs } from '#shared/platform/runtime/clock.ts';
import { given } from '#shared/platform/runtime/given.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { assess, countControls, type FrameworkCounts } from './assess.ts';
import { type Counted, readCounted } from './counted.ts';
import type { Framework } from './framework.ts';
import { groupInPart } from './part-group.ts';

/** The controls that failed at one moment of a day. */
type ComplianceDay = { date: string; failedControls: number; expiresAt: string };

const KEPT_DAYS = 400;
const COMPARED_DAYS = 30;

export const complianceDays = defineRow<ComplianceDay, Pick<ComplianceDay, 'date'>>({
  name: 'compliance-day',
  about: 'how many controls of all frameworks failed on a day, written once a day',
  key: ({ date }) => [date],
  expiresAt: ({ expiresAt }) => expiresAt,
});

type FrameworkStanding = Pick<Framework, 'id' | 'name' | 'version'> & FrameworkCounts;

const currentOf = (framework: Framework, counted: Counted): FrameworkStanding => {
  const { id, name, version, controls } = framework;
  return { id, name, version, ...countControls(controls.map((one) => assess(framework, one, counted).status)) };
};

/** All frameworks are 19 KB, which only this summary needs: the file is beside the bundles of areas. */
async function allCurrent(counted: Counted): Promise<FrameworkStanding[]> {
  const { frameworks } = await import('./frameworks.ts');
  return frameworks().map((one) => currentOf(one, counted));
}

const failedIn = (current: readonly FrameworkStanding[]): number =>
  current.reduce((sum, { controls }) => sum + controls.failed, 0);

/**
 * The state of all frameworks, and how many more controls fail than 30 days ago: two queries and the row of that day.
 */
export async function complianceSummary(table: Table) {
  const before = new Date(nowMs() - COMPARED_DAYS * DAY_MS).toISOString().slice(0, 10);
  const group = groupInPart(table.part, {});
  const [counted, day] = await Promise.all([
    readCounted(table, group),
    // the numbers of a day are of all assets
    table.part ? undefined : table.rows(complianceDays).find({ date: before }),
  ]);
  const current = await allCurrent(counted);
  const failedControls = failedIn(current);
  const figures = {
    asOf: now(),
    frameworks: current.map((one) =>
      withLists<FrameworkStanding>(one, controlLists({ framework: one.id, ...given(group) })),
    ),
    failedControls,
    change30d: day ? failedControls - day.failedControls : null,
  };
  const failed = listed(CONTROLS, { status: 'failed', ...given(group) });
  return withLists(figures, { failedControls: failed, change30d: null });
}

const CONTROLS = '/api/v1/compliance/controls';

/** @param group the framework, and the group of assets */
export const controlLists = (group: Readonly<Record<string, string>>) => ({
  score: null,
  controls: (status: string) => listed(CONTROLS, status === 'total' ? group : { ...group, status }),
  exceptionsOnly: listed(CONTROLS, { ...group, exceptionsOnly: 'true' }),
});

/** Notes how many controls fail today; a later note of the day takes its place. */
export async function noteComplianceDay(table: Table): Promise<void> {
  const counted = await readCounted(table, {});
  const failedControls = failedIn(await allCurrent(counted));
  const expiresAt = new Date(nowMs() + KEPT_DAYS * DAY_MS).toISOString();
  await table.write(putWrite(table.tenant, complianceDays, { row: { date: currentDay(), failedControls, expiresAt } }));
}
