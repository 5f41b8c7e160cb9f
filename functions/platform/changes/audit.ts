import { BY_TIME, byActor, byRecord } from '#shared/platform/feed/audit.ts';
import { type Announced, KEPT_SECONDS } from '#shared/platform/feed/log.ts';
import { readAudit } from '#shared/platform/feed/read-audit.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { changeRoutes } from './routes.ts';

type AuditCall = Call<typeof changeRoutes.listAudit>;
type Query = AuditCall['query'];

export async function listAudit({ table, query }: AuditCall) {
  const { limit, ...asked } = query;
  if (query.id !== undefined && query.entity === undefined) throw invalid('entity', 'must be given with id');
  const page = await readAudit(
    table,
    { ...asked, of: placeOf(query) },
    { limit, fits: (announced) => fits(announced, query) },
  );
  return { data: page.data.map(shownEntry), next: page.next, listedSince: inSeconds(-KEPT_SECONDS) };
}

function placeOf({ actorId, entity, id }: Query): string {
  if (entity && id) return byRecord(entity, id);
  return actorId ? byActor(actorId) : BY_TIME;
}

const fits = ({ entry, change }: Announced, { actorId, entity, id }: Query): boolean =>
  (actorId === undefined || entry.by.id === actorId) &&
  (entity === undefined || change?.entity === entity) &&
  (id === undefined || change?.id === id);

function shownEntry({ number, entry, change, event }: Announced) {
  const { id: transactionId, at, by: actor, cause } = entry;
  const { operation, requestId = null, taskId = null, ip = null } = cause;
  const record = change && { entity: change.entity, id: change.id, version: change.version };
  return {
    number,
    at,
    actor,
    operation,
    requestId,
    taskId,
    transactionId,
    ip,
    kind: change?.kind ?? event?.kind ?? ('refused' as const),
    record: record ?? null,
    fields: change?.fields ?? {},
    masked: change?.masked ?? [],
    reason: event?.reason ?? null,
  };
}
