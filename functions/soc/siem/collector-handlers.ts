import type { Handlers } from '#shared/platform/http/route.ts';
import { keepBatch } from '#shared/soc/siem/batches.ts';
import { noteCollector, STATUS_SECONDS } from '#shared/soc/siem/collectors.ts';
import { sourceOf } from '#shared/soc/siem/sources.ts';
import type { collectorRoutes } from './collector-routes.ts';

export const collectorHandlers: Handlers<typeof collectorRoutes> = {
  async sendEvents({ connections, table, caller, body }) {
    const { content, encoding, batchId, source, format } = body;
    const bytes = Buffer.from(content, encoding === 'utf8' ? 'utf8' : 'base64');
    await noteCollector(table, caller.id);
    const sent = { collectorId: caller.id, batchId, source, format, content: bytes };
    return { accepted: true, batchId, ...(await keepBatch({ table, connections }, sent)) };
  },

  async reportCollector({ table, caller, body: { sources = [], ...says } }) {
    await noteCollector(table, caller.id, says);
    for (const source of sources) await sourceOf(table, { ...source, collectorId: caller.id });
    return { pollAfterSeconds: STATUS_SECONDS };
  },
};
