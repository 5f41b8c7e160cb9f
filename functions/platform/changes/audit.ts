import { BY_TIME, byActor, byRecord } from '#shared/platform/feed/audit.ts';
import { auditFilter, kindOf, marksOfEntry } from '#shared/platform/feed/audit-filter.ts';
import { type Announced, KEPT_SECONDS } from '#shared/platform/feed/log.ts';
import { readAudit } from '#shared/platform/feed/read-audit.ts';
import { isVisible } from '#shared/platform/feed/visible.ts';
import { withMatching } from '#shared/platform/filter/read.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { RecordChange } from '#shared/platform/table/changes.ts';
import type { Marked } from '#shared/platform/table/combined.ts';
import { hasMarks } from '#shared/platform/table/match.ts';
import type { changeRoutes } from './routes.ts';

type AuditCall = Call<typeof changeRoutes.listAudit>;
type Asked = Omit<AuditCall['query'], 'filter' | 'filterId'> & { matching?: Marked };

export async function listAudit({ table, caller, query: given }: AuditCall) {
  const query = await withMatching({ table, caller }, auditFilter, given);
  const { limit, ...asked } = query;
  if (query.id !== undefined && query.entity === undefined) throw invalid('entity', 'must be given with id');
  const page = await readAudit(
    table,
    { ...asked, of: placeOf(query) },
    { limit, fits: (announced) => fits(announced, query) },
  );
  return answered(page);
}

/** The caller's own entries, with the values of records that the caller may read. */
export async function listOwnActivity({ table, caller, query }: Call<typeof changeRoutes.listOwnActivity>) {
  const { limit, ...asked } = query;
  const isOwn = ({ entry }: Announced) => entry.by.id === caller.id;
  const { data, next } = await readAudit(table, { ...asked, of: byActor(caller.id) }, { limit, fits: isOwn });
  const isShown = (change: RecordChange) => !table.part && isVisible(caller, change);
  return answered({
    next,
    data: data.map((one) => (one.change && !isShown(one.change) ? { ...one, change: withoutValues(one.change) } : one)),
  });
}

const withoutValues = (change: RecordChange): RecordChange => ({
  ...change,
  fields: {},
  masked: [...Object.keys(change.fields), ...change.masked].sort(),
});

const answered = ({ data, next }: { data: Announced[]; next: number | null }) => ({
  data: data.map(shownEntry),
  next,
  listedSince: inSeconds(-KEPT_SECONDS),
});

function placeOf({ actorId, entity, id }: Asked): string {
  if (entity && id) return byRecord(entity, id);
  return actorId ? byActor(actorId) : BY_TIME;
}

const fits = (announced: Announced, { actorId, entity, id, matching }: Asked): boolean => {
  const { entry, change } = announced;
  return (
    (actorId === undefined || entry.by.id === actorId) &&
    (entity === undefined || change?.entity === entity) &&
    (id === undefined || change?.id === id) &&
    (!matching || hasMarks(matching, marksOfEntry(announced)))
  );
};

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
    kind: kindOf({ change, event }),
    record: record ?? null,
    fields: change?.fields ?? {},
    masked: change?.masked ?? [],
    reason: event?.reason ?? null,
  };
}
