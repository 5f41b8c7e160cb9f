import { changedSettings, readSettings } from '#shared/entities/organization-settings.ts';
import { pageOfArray } from '#shared/http/pagination.ts';
import type { Handlers } from '#shared/http/route.ts';
import { changeSettings } from './change-settings.ts';
import type { configRoutes } from './routes.ts';
import { configItems, organizationItems } from './settings.ts';

export const configHandlers: Handlers<typeof configRoutes> = {
  async listConfig({ connections, table, query }) {
    const items = [...configItems(connections.settings), ...organizationItems(await changedSettings(table))];
    return pageOfArray(items, query);
  },

  getOrganizationSettings: ({ table }) => readSettings(table),

  async updateOrganizationSettings({ table, body }) {
    const changes = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, value ?? undefined]));
    if (Object.keys(changes).length > 0) await changeSettings(table, changes);
    return readSettings(table);
  },
};
