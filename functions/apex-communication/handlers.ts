import type { Handlers } from '#shared/http/route.ts';
import { completeTasks } from './complete.ts';
import { poll } from './poll.ts';
import { reportFindings } from './report-findings.ts';
import type { apexCommunicationRoutes } from './routes.ts';
import { updateSession } from './session.ts';

export const apexCommunicationHandlers: Handlers<typeof apexCommunicationRoutes> = {
  leaseApexTasks: ({ table, caller, body }) => poll(table, { applianceId: caller.id, body }),
  completeApexTasks: ({ connections, table, caller, body }) =>
    completeTasks({ connections, table, applianceId: caller.id }, body.results),
  reportApexFindings: ({ connections, table, caller, body }) =>
    reportFindings({ connections, table, applianceId: caller.id }, body),
  updateApexSession: ({ table, caller, body }) => updateSession(table, caller.id, body),
};
