import { showPage } from '#shared/platform/http/pagination.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { given } from '#shared/platform/runtime/given.ts';
import { selected } from '#shared/soc/alerts/filter.ts';
import { SiemSource, siemSources } from '#shared/soc/siem/siem-source.ts';
import { settleSource } from '#shared/soc/siem/sources.ts';
import { collectorHandlers } from './collector-handlers.ts';
import type { siemRoutes } from './routes.ts';
import { showSource, showSources } from './show-sources.ts';

export const siemHandlers: Handlers<typeof siemRoutes> = {
  listSources({ table, query: { collectorId, status, quiet, ...range } }) {
    const selection = selected(given({ collector: collectorId, status, quiet }), undefined);
    return showPage(table.list(siemSources, { ...range, ...selection }), (found) => showSources(table, found));
  },

  searchSources: ({ table, query }) => showPage(table.list(siemSources, query), (found) => showSources(table, found)),

  getSource: async ({ table, params }) => showSource(table, await table.get(siemSources, params.id)),

  async updateSource({ table, params: { id }, body, ifMatch }) {
    const changed = await table.modify(siemSources, id, (source) =>
      mergePatch(SiemSource, source, { patch: body, ifMatch }),
    );
    const settled = await settleSource(table, id);
    return showSource(table, settled?.source ?? changed);
  },

  ...collectorHandlers,

  async deleteSource({ table, params }) {
    return table.delete(siemSources, await table.get(siemSources, params.id));
  },
};
