import { deleteAppliance } from '#shared/apex/delete-appliance.ts';
import { COMMAND_SECONDS } from '#shared/apex/presence.ts';
import { showAppliance, showAppliances, updateAppliance } from '#shared/apex/show.ts';
import { tellAppliance } from '#shared/apex/stop.ts';
import { inSeconds } from '#shared/clock.ts';
import { apexAppliances } from '#shared/entities/apex-appliance.ts';
import { MACHINE_STATUSES } from '#shared/entities/scanner.ts';
import { notFound } from '#shared/http/errors.ts';
import type { Handlers } from '#shared/http/route.ts';
import { queueTask } from '#shared/jobs/task.ts';
import type { apexRoutes } from './routes.ts';

const label = (value: string): string => value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' ');

export const apexHandlers: Handlers<typeof apexRoutes> = {
  async listAppliances({ table, query }) {
    const page = await table.list(apexAppliances, query);
    return { ...page, data: await showAppliances(table, page.data) };
  },
  async searchAppliances({ table, query }) {
    const page = await table.search(apexAppliances, query);
    return { ...page, data: await showAppliances(table, page.data) };
  },
  async countAppliancesByStatus({ table }) {
    const counts = await table.facets(apexAppliances);
    return MACHINE_STATUSES.map((value) => ({ value, label: label(value), count: counts[`status:${value}`] ?? 0 }));
  },
  stopAllApex: ({ ports, table }) =>
    queueTask(ports, table, {
      operation: 'stop_all_apex',
      job: 'apex',
      unit: 'tasks',
      input: { work: 'stop-all' },
    }),
  getAppliance: async ({ table, params }) => showAppliance(table, await table.get(apexAppliances, params.id)),
  updateAppliance: ({ table, params, body, request }) =>
    updateAppliance(table, { id: params.id, patch: body, ifMatch: request.headers['if-match'] }),
  deleteAppliance: ({ table, params }) => deleteAppliance(table, params.id),
  async commandAppliance({ table, params: { id }, body }) {
    await table.get(apexAppliances, id);
    if (!(await tellAppliance(table, id, body))) throw notFound(apexAppliances.name, id);
    return { id, type: body.type, expiresAt: inSeconds(COMMAND_SECONDS) };
  },
};
