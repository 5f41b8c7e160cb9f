import { findings } from '#shared/findings/finding/finding.ts';
import { OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { countedOn, lastOf } from '#shared/platform/table/daily.ts';
import { type Counting, countEach, countFindings } from '../counting.ts';
import type { Series } from '../document.ts';
import { lastMonths } from '../figures/days.ts';
import { defineSection, SEVERITIES } from '../section.ts';

const MONTHS = 12;

/** The group of findings whose past is counted; undefined: that of no group is. */
function groupOf({ report, table }: Counting): { group?: { name: string; value: string } } | undefined {
  const { filter, teamId, engagementId, applicationId } = report;
  if (filter !== null || teamId || engagementId) return undefined;
  if (applicationId) {
    const isSeen = !table.part || table.part.applicationIds?.includes(applicationId);
    return isSeen ? { group: { name: 'application', value: applicationId } } : undefined;
  }
  return table.part ? undefined : {};
}

type Open = Record<string, number>;

/** The open findings by severity at the end of each month; null: not counted. */
async function openAt(counting: Counting, months: readonly string[]): Promise<(Open | null)[]> {
  const group = groupOf(counting);
  if (!group) return months.map(() => null);
  const { dynamo, tenant } = counting.table;
  const days = months.map((month) => (lastOf(month) < counting.today ? lastOf(month) : counting.today));
  const counts = await countedOn({ dynamo, tenant, entity: findings }, { days, ...group });
  return counts.map((count) => {
    if (!count) return null;
    const open = (severity: string) => OPEN_STATUSES.reduce((sum, status) => sum + count({ severity, status }), 0);
    return Object.fromEntries(SEVERITIES.map((severity) => [severity, open(severity)]));
  });
}

async function gather(counting: Counting) {
  const months = lastMonths(counting.at, MONTHS);
  const [open, each] = await Promise.all([
    openAt(counting, months),
    Promise.all(
      months.map((month) =>
        countEach(countFindings, counting, { created: `firstSeen:${month}`, closed: `fixed:${month}` }),
      ),
    ),
  ]);
  return months.map((month, n) => ({
    month,
    open: open[n] ?? null,
    created: each[n]?.created,
    closed: each[n]?.closed,
  }));
}
type Trend = Awaited<ReturnType<typeof gather>>;

/** Open findings by severity over twelve months, with the created and closed ones. */
export const trend = defineSection<Trend>({
  title: 'trend',
  gather,
  figures: (facts, page) =>
    facts.flatMap(({ month, created, closed }) => [
      [page.labelled(page.month(month), page.say('opened')), created] as const,
      [page.labelled(page.month(month), page.say('closed')), closed] as const,
    ]),
  blocks: (facts, page) => {
    const labels = facts.map(({ month }) => page.month(month));
    const lines: Series[] = [
      { label: page.say('opened'), colour: 'bad', values: facts.map(({ created }) => created?.value ?? null) },
      { label: page.say('closed'), colour: 'good', values: facts.map(({ closed }) => closed?.value ?? null) },
    ];
    if (facts.every(({ created, closed }) => !created?.value && !closed?.value))
      return [{ block: 'text', text: page.say('noTrend') }];
    const isCounted = facts.some(({ open }) => open !== null);
    const isUnknown = isCounted && facts.some(({ open }) => open === null);
    const series = SEVERITIES.filter((severity) => severity !== 'info').map(
      (severity): Series => ({
        label: page.say(severity),
        colour: severity,
        values: facts.map(({ open }) => open?.[severity] ?? null),
      }),
    );
    const [last] = facts.slice(-1);
    const named = { created: page.number(last?.created?.value ?? 0), closed: page.number(last?.closed?.value ?? 0) };
    const text = page.say('trendText', { month: page.month(last?.month ?? ''), ...named });
    return [
      {
        block: 'chart',
        id: 'trend',
        title: page.say('trend'),
        text: [text, isCounted && page.say('trendBars'), isUnknown && page.say('trendUnknown')]
          .filter(Boolean)
          .join(' '),
        chart: isCounted ? { chart: 'stacked-bars', labels, series, lines } : { chart: 'lines', labels, series: lines },
      },
    ];
  },
});
