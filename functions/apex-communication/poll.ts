import { saveApexPresence } from '#shared/apex/presence.ts';
import { settleTasks } from '#shared/apex/settle.ts';
import { hintKey, workHints } from '#shared/dispatch/queue.ts';
import type { ApexDataSource } from '#shared/entities/apex-appliance.ts';
import { intervalFor, roomFor, type WorkLeft, withinToldInterval } from '#shared/machines/leases.ts';
import { isHeartbeatDue } from '#shared/machines/presence.ts';
import { nowMs } from '#shared/runtime/clock.ts';
import { invalid } from '#shared/runtime/errors.ts';
import { ATTEMPTS, retry } from '#shared/runtime/retry.ts';
import type { Table } from '#shared/table/table.ts';
import { describe, presenceOf } from './appliance.ts';
import { leaseAll } from './lease-all.ts';
import type { ApexNewTasksAnswer } from './routes.ts';
import { BOUNDS, hear } from './rules.ts';
import { findWork } from './take.ts';

type Poll = { applianceId: string; body: ApexDataSource };

/** One poll of an appliance. @throws unauthorized when it was removed */
export async function poll(table: Table, request: Poll): Promise<ApexNewTasksAnswer> {
  if (request.body.capacity == null) throw invalid('capacity', 'is required: how many more tasks you take now');
  return retry(async (attempt) => {
    const { answer, refused, owner } = await pollOnce(table, request, attempt);
    await settleTasks(owner, refused);
    return answer;
  });
}

async function pollOnce(table: Table, { applianceId, body }: Poll, attempt: number) {
  const isRetry = attempt > 1;
  const [before, hint] = await Promise.all([
    presenceOf(table, applianceId, { running: body.running, consistent: isRetry }),
    table.rows(workHints).find(hintKey, isRetry),
  ]);
  const heard = hear(before, body.running);
  const batch = table.batch();
  const described = await describe({ table, batch }, before, body);
  const presence = { ...(described ?? before), online: true, leases: heard.leases };
  // the last attempt goes without work: by then others have it
  const room = attempt === ATTEMPTS ? 0 : roomFor(presence, body.capacity ?? 0, BOUNDS);
  const found = await findWork(table, presence, { hint, room, attempt });
  const { tasks, more, owner } = found;
  const taken = await leaseAll(table, batch, { presence, found });
  const work: WorkLeft = more ? (tasks.length > 0 ? 'waits' : 'waits but no room') : 'none';
  const told = intervalFor(work, Math.random());
  const isRecorded = tasks.length > 0 || described !== undefined || isHeartbeatDue(before);
  if (isRecorded) {
    const leases = { ...heard.leases, ...taken.leases };
    const after = { ...presence, leases, lastSeenAt: nowMs(), toldSeconds: told };
    await saveApexPresence(table, { before, after, batch });
  }
  const pollAfterSeconds = isRecorded ? told : withinToldInterval(before, told);
  const answer = { tasks: taken.answers, cancel: heard.cancel, lost: heard.lost, pollAfterSeconds };
  return { answer, refused: taken.refused, owner };
}
