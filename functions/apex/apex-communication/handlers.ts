import type { Handlers } from '#shared/platform/http/route.ts';
import { completeAsAppliance } from './complete.ts';
import { pollAsAppliance } from './poll.ts';
import { reportFindings } from './report-findings.ts';
import type { apexCommunicationRoutes } from './routes.ts';
import { updateSession } from './update-session.ts';

export const apexCommunicationHandlers: Handlers<typeof apexCommunicationRoutes> = {
  leaseApexTasks: ({ table, caller, body }) => pollAsAppliance(table, { machineId: caller.id, body }),
  completeApexTasks: ({ connections, table, caller, body }) =>
    completeAsAppliance({ connections, table, machineId: caller.id }, body.results),
  reportApexFindings: ({ connections, table, caller, body }) =>
    reportFindings({ connections, table, machineId: caller.id }, body),
  updateApexSession: ({ table, caller, body }) => updateSession(table, caller.id, body),
};
