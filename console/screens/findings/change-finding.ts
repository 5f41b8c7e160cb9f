import { answerOf, client, Refused } from '../../api/client.ts';
import type { Finding, FindingStatus } from '../../api/types.ts';
import { notify } from '../../parts/toasts.tsx';
import { texts } from '../../texts.ts';

export type Wanted = { status?: FindingStatus; reason?: string; acceptedUntil?: string; assigneeId?: string | null };

type Shown = { finding: Finding; put: (finding: Finding) => void; changed: () => void };

/**
 * Shows a new status at once, sends it with the version that the person saw, and offers to undo it. If the service
 * refuses, its state and its message are shown.
 */
export async function changeFinding({ finding, put, changed }: Shown, wanted: Wanted): Promise<void> {
  if (wanted.status) put({ ...finding, status: wanted.status });
  try {
    const next = await send(finding, wanted);
    put(next);
    changed();
    const before = wanted.assigneeId ? { assigneeId: finding.assignee?.id ?? null } : { status: finding.status };
    const undo = () => void changeFinding({ finding: next, put, changed }, before);
    const message = wanted.assigneeId ? texts.finding.assigned : texts.finding.became(texts.statuses[next.status]);
    notify(message, { action: { label: texts.bulk.undo, run: undo } });
  } catch (error) {
    const current = await read(finding.id).catch(() => finding);
    put(current);
    changed();
    const isOutdated = current.version !== finding.version;
    const reason = error instanceof Refused ? error.message : String(error);
    notify(isOutdated ? texts.errors.changed : reason, { isError: true });
  }
}

const send = ({ id, version }: Finding, wanted: Wanted) =>
  answerOf(
    client.PATCH('/api/v1/findings/{id}', {
      params: { path: { id } },
      headers: { 'if-match': `"${version}"` },
      body: wanted,
    }),
  );

export const read = (id: string) => answerOf(client.GET('/api/v1/findings/{id}', { params: { path: { id } } }));
