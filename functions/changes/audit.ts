import { auditIndex, BY_TIME, byActor, byRecord, followUp } from '#shared/feed/audit.ts';
import { KEPT_SECONDS, sheetsAfter, type Told, toldIn } from '#shared/feed/log.ts';
import type { Call } from '#shared/http/route.ts';
import { inSeconds } from '#shared/runtime/clock.ts';
import { invalid } from '#shared/runtime/errors.ts';
import type { Table } from '#shared/table/table.ts';
import type { changeRoutes } from './routes.ts';

/** Places of the index that are looked up for an answer, newest first. */
const PLACES = 20;
/** A change is numbered seconds after it was made; after an outage of the numbering, up to this much later. */
const LATE_MS = 3_600_000;
const LAST = '9999';

type AuditCall = Call<typeof changeRoutes.listAudit>;
type Query = AuditCall['query'];

export async function listAudit({ table, query }: AuditCall) {
  if (query.id !== undefined && query.entity === undefined) throw invalid('entity', 'must be given with id');
  await followUp(table);
  const places = await placesFor(table, query);
  const looked = (
    await Promise.all(places.slice(0, PLACES).map(({ number }) => sheetsAfter(table, number - 1, 1)))
  ).flat();
  const sheets = new Map(looked.map((sheet) => [sheet.first, sheet]));
  const all = [...sheets.values()].flatMap(toldIn).sort((a, b) => b.number - a.number);
  const found = all.filter((told) => fits(told, query));
  const shown = found.slice(0, query.limit);
  const isRest = found.length > shown.length;
  const last = isRest ? shown.at(-1)?.number : all.at(-1)?.number;
  const next = isRest || places.length > PLACES ? (last ?? null) : null;
  return { data: shown.map(shownEntry), next, listedSince: inSeconds(-KEPT_SECONDS) };
}

async function placesFor(table: Table, { from = '0', to, before, actorId, entity, id }: Query) {
  const of = entity && id ? byRecord(entity, id) : actorId ? byActor(actorId) : BY_TIME;
  const [bound] = before === undefined ? [] : await sheetsAfter(table, before - 2, 1);
  const late = to && new Date(Date.parse(to) + LATE_MS).toISOString();
  const end = [late ?? LAST, bound ? bound.at : LAST].toSorted()[0] ?? LAST;
  const between = { from, to: `${end}~` };
  return table.rows(auditIndex).query(of, { between, backward: true, limit: PLACES + 1, consistent: true });
}

const fits = ({ number, entry, change }: Told, { from, to, before, actorId, entity, id }: Query): boolean =>
  (before === undefined || number < before) &&
  (from === undefined || entry.at >= from) &&
  (to === undefined || entry.at <= to) &&
  (actorId === undefined || entry.by.id === actorId) &&
  (entity === undefined || change?.entity === entity) &&
  (id === undefined || change?.id === id);

function shownEntry({ number, entry, change, event }: Told) {
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
