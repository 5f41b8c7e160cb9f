import { applications } from '#shared/exposure/applications/application.ts';
import { openRiskOf } from '#shared/exposure/applications/open-risk.ts';
import { applicationRisk } from '#shared/exposure/applications/risk.ts';
import { scoresBetween } from '#shared/exposure/applications/scores.ts';
import { findingQuery } from '#shared/findings/finding/filter.ts';
import { findingFilter } from '#shared/findings/finding/filter-fields.ts';
import { OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { listFindings } from '#shared/findings/view/listed.ts';
import { withMatching } from '#shared/platform/filter/read.ts';
import { filtered, withLists } from '#shared/platform/http/figures.ts';
import { showEach } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { DAY_MS, now, nowMs } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { vulnerabilityQuery } from '#shared/vulnerabilities/vulnerability/filter.ts';
import { vulnerabilityFilter } from '#shared/vulnerabilities/vulnerability/filter-fields.ts';
import { vulnerabilityListItem } from '#shared/vulnerabilities/vulnerability/record.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { type applicationRiskRoutes, TREND_DAYS } from './routes.ts';

const COMPARED_DAYS = 30;
const dayAgo = (days: number): string => new Date(nowMs() - days * DAY_MS).toISOString().slice(0, 10);

async function riskSummary(table: Table, id: string) {
  const between = { from: dayAgo(TREND_DAYS - 1), to: dayAgo(1) };
  const [application, { open, kevOpen, overdue }, scores] = await Promise.all([
    table.get(applications, id),
    openRiskOf(table, { name: 'application', values: [id] }),
    // the scores of each day count the whole application
    !table.part || table.part.applicationIds?.includes(id) ? scoresBetween(table, id, between) : [],
  ]);
  const { score, ...risk } = applicationRisk({ open, kevOpen, overdue }, application);
  const before = scores.find(({ date }) => date === dayAgo(COMPARED_DAYS));
  const trend = scores.map((one) => ({ date: one.date, score: one.score }));
  const list = filtered(`/api/v1/software/applications/${id}/findings`);
  const figures = {
    score,
    ...risk,
    openFindings: open,
    kevOpen,
    overdue,
    change30d: before ? score - before.score : null,
    trend: [...trend, { date: dayAgo(0), score }],
    computedAt: now(),
  };
  return withLists(figures, {
    score: null,
    openFindings: (severity) => list(`${OPEN} severity:${severity}`),
    kevOpen: list(`${OPEN} kev:true`),
    overdue: list(`due<${dayAgo(0)}`),
    change30d: null,
  });
}

const OPEN = `status:${OPEN_STATUSES.join()}`;

export const applicationRiskHandlers: Handlers<typeof applicationRiskRoutes> = {
  async listApplicationFindings({ connections, table, caller, params, query }) {
    await table.get(applications, params.id);
    const asked = await withMatching({ table, caller }, findingFilter, { ...query, applicationId: params.id });
    return listFindings({ connections, table }, findingQuery(asked, caller));
  },
  async listApplicationVulnerabilities({ table, caller, params, query }) {
    await table.get(applications, params.id);
    const asked = await withMatching({ table, caller }, vulnerabilityFilter, { ...query, applicationId: params.id });
    return showEach(table.list(vulnerabilities, vulnerabilityQuery(asked, caller)), vulnerabilityListItem);
  },
  getRiskSummary: ({ table, params }) => riskSummary(table, params.id),
};
