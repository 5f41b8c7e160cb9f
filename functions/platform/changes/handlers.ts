import { lastMoved } from '#shared/platform/feed/archive.ts';
import { type Announced, announcedIn, type Head, readHead, sheetsAfter } from '#shared/platform/feed/log.ts';
import { numberChanges } from '#shared/platform/feed/number.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { queueTask } from '#shared/platform/jobs/outbox.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { listAudit, listOwnActivity } from './audit.ts';
import { withRecords } from './records.ts';
import type { changeRoutes } from './routes.ts';
import { isVisible } from './visible.ts';

/** Sheets that one answer reads: at most 10,000 changes. */
const SHEETS = 20;

/** Numbers what waits in the inbox first, so that an answer does not wait for the next minute. */
async function listChanges({ connections, table, caller, query }: Call<typeof changeRoutes.listChanges>) {
  const { limit, entity, include } = query;
  await numberChanges(table);
  const [head, moved] = await Promise.all([readHead(table), lastMoved(table)]);
  const since = query.since === 'latest' ? head.next - 1 : query.since;
  assertKept(since, head, moved);
  const found = (await sheetsAfter(table, since, SHEETS)).flatMap(announcedIn).filter(({ number }) => number > since);
  const wanted = found.filter(
    ({ change }) => change && isVisible(caller, change) && (entity?.some((name) => name === change.entity) ?? true),
  );
  const shown = wanted.slice(0, limit);
  const last = wanted.length > limit ? shown.at(-1) : found.at(-1);
  const next = last?.number ?? since;
  const changes = shown.flatMap(shownChange);
  const data = include ? await withRecords({ connections, table }, changes) : changes;
  return { data, next, more: next < head.next - 1 };
}

function assertKept(since: number, { next }: Head, moved: number): void {
  if (since >= next) throw invalid('since', 'must be `next` of an earlier answer of this organization, or 0');
  if (since > 0 && since < moved)
    throw invalid('since', `must be at least ${moved}, or 0: changes up to that number are older than 400 days`);
}

const shownChange = ({ number, entry: { id: transactionId, at, by, cause }, change }: Announced) => {
  const { operation, requestId = null, taskId = null } = cause;
  return change ? [{ number, at, actor: by, operation, requestId, taskId, transactionId, ...change }] : [];
};

export const changeHandlers: Handlers<typeof changeRoutes> = {
  listChanges,
  listAudit,
  listOwnActivity,

  verifyAudit: ({ connections, table }) =>
    queueTask(
      { connections, table },
      {
        operation: 'audit_verify',
        job: 'maintenance',
        unit: 'changes',
        input: { work: 'audit', repair: false },
        send: { group: table.organizationId },
      },
    ),
};
