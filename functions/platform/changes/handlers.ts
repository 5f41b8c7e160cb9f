import type { Announced } from '#shared/platform/feed/log.ts';
import { readChanges } from '#shared/platform/feed/read-changes.ts';
import { isVisible } from '#shared/platform/feed/visible.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { queueTask } from '#shared/platform/jobs/outbox.ts';
import { isMade } from '#shared/platform/table/changes.ts';
import { listAudit, listOwnActivity } from './audit.ts';
import { withRecords } from './records.ts';
import type { changeRoutes } from './routes.ts';

async function listChanges({ connections, table, caller, query }: Call<typeof changeRoutes.listChanges>) {
  const { since, limit, entity, include } = query;
  const isWanted = ({ change }: Announced): boolean =>
    change !== undefined &&
    isMade(change) &&
    isVisible(caller, change) &&
    (entity?.some((name) => name === change.entity) ?? true);
  const { found, next, more } = await readChanges(table, { since, limit }, isWanted);
  const changes = found.flatMap(shownChange);
  const data = include ? await withRecords({ connections, table }, changes) : changes;
  return { data, next, more };
}

const shownChange = ({ number, entry: { id: transactionId, at, by, cause }, change }: Announced) => {
  const { operation, requestId = null, taskId = null } = cause;
  return change && isMade(change)
    ? [{ number, at, actor: by, operation, requestId, taskId, transactionId, ...change }]
    : [];
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
