import { approveDeletion, cancelDeletion, readDeletion, requestDeletion } from '#shared/organizations/deletion.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { queueCopy } from './copies.ts';
import { queueMaintenance } from './queue.ts';
import { approveRestoration, readOwnRestoration, requestRestoration } from './restoration.ts';
import type { maintenanceRoutes } from './routes.ts';

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

  copyOrganization: ({ connections, table, params }) => queueCopy({ connections, table }, params.id),

  restoreOrganization: ({ connections, table, caller, params, body }) =>
    requestRestoration({ connections, table, caller }, { organizationId: params.id, ...body }),

  approveOrganizationRestoration: ({ connections, table, caller, params, body }) =>
    approveRestoration({ connections, table, caller }, { organizationId: params.id, ...body }),
};
