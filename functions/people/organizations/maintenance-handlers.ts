import { organizations } from '#shared/credentials/organization.ts';
import { changeLimits } from '#shared/organizations/change-settings.ts';
import { approveDeletion, cancelDeletion, readDeletion, requestDeletion } from '#shared/organizations/deletion.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { readLimits } from '#shared/platform/quotas/limits.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { inOrganization, openTable, type Table } from '#shared/platform/table/table.ts';
import { queueCopy } from './copies.ts';
import type { maintenanceRoutes } from './maintenance-routes.ts';
import { queueMaintenance } from './queue.ts';
import { approveRestoration, readOwnRestoration, requestRestoration } from './restoration.ts';
import { resume, suspend } from './suspend.ts';

export const maintenanceHandlers: Handlers<typeof maintenanceRoutes> = {
  startMaintenance: ({ connections, table, body }) => queueMaintenance({ connections, table }, body),

  deleteOrganization: ({ table, caller, params, body }) =>
    requestDeletion({ table, caller }, { organizationId: params.id, name: body.name }),

  getOrganizationDeletion: ({ table, params }) => readDeletion(table.dynamo, params.id),

  approveOrganizationDeletion: ({ table, caller, params, body }) =>
    approveDeletion({ table, caller }, { organizationId: params.id, name: body.name }),

  cancelOrganizationDeletion: ({ table, caller, params }) => cancelDeletion({ table, caller }, params.id),

  getOwnDeletion: ({ table }) => readDeletion(table.dynamo, table.organizationId),

  cancelOwnDeletion: ({ table, caller }) => cancelDeletion({ table, caller }, table.organizationId),

  getOwnRestoration: ({ connections, table }) => readOwnRestoration({ connections, table }),

  getOrganizationLimits: async ({ table, params }) => readLimits(await tableOf(table, params.id)),

  async updateOrganizationLimits({ table, params, body }) {
    const theirs = await tableOf(table, params.id);
    await changeLimits(theirs, body);
    return readLimits(theirs);
  },

  suspendOrganization: suspend,

  resumeOrganization: resume,

  copyOrganization: ({ connections, table, params }) => queueCopy({ connections, table }, params.id),

  restoreOrganization: ({ connections, table, caller, params, body }) =>
    requestRestoration({ connections, table, caller }, { organizationId: params.id, ...body }),

  approveOrganizationRestoration: ({ connections, table, caller, params, body }) =>
    approveRestoration({ connections, table, caller }, { organizationId: params.id, ...body }),
};

/** The table of a customer of the deployment, by its record. @throws not_found */
async function tableOf(table: Table, id: string): Promise<Table> {
  const organization = await openTable(table.dynamo, GLOBAL_SCOPE).get(organizations, id);
  return inOrganization(table, organization.id);
}
