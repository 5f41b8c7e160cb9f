import type { ApexCampaign, ApexCampaignRun } from '#shared/apex/apex-campaign.ts';
import { apexTasks } from '#shared/apex/apex-task.ts';
import { usageOf } from '#shared/apex/budget.ts';
import type { Table } from '#shared/platform/table/table.ts';

type Totals = Pick<ApexCampaign, 'tasks' | 'findings' | 'usage'>;

/** The live totals of a current run: two small reads for any number of tasks. */
async function liveTotals(table: Table, runId: string): Promise<Totals> {
  const [counts, usage] = await Promise.all([table.tally(apexTasks, 'run', runId), usageOf(table, { runId })]);
  const of = (name: string) => counts[name] ?? 0;
  return {
    tasks: {
      pending: of('pending'),
      running: of('running'),
      completed: of('completed'),
      failed: of('failed'),
      cancelled: of('cancelled'),
    },
    findings: {
      critical: of('f:critical'),
      high: of('f:high'),
      medium: of('f:medium'),
      low: of('f:low'),
      info: of('f:info'),
    },
    usage,
  };
}

type Campaign = Totals & Pick<ApexCampaign, 'currentRun'>;

export const showCampaign = async <T extends Campaign>(table: Table, campaign: T): Promise<T> =>
  campaign.currentRun ? { ...campaign, ...(await liveTotals(table, campaign.currentRun.id)) } : campaign;

export const showRun = async <T extends Totals & Pick<ApexCampaignRun, 'id' | 'finishedAt'>>(
  table: Table,
  run: T,
): Promise<T> => (run.finishedAt === null ? { ...run, ...(await liveTotals(table, run.id)) } : run);
