import { isOpen, moveStatus } from '#shared/findings/finding/finding-status.ts';
import { changeFinding } from '#shared/findings/triage/change.ts';
import { findFinding } from '#shared/findings/view/find.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Category, Issue } from '#shared/ticketing/jira/api.ts';
import type { Subject } from '#shared/ticketing/subject.ts';
import type { StoredTicket, SubjectStatus } from '#shared/ticketing/ticket.ts';
import { decidedChanges } from '#shared/vulnerabilities/vulnerability/change.ts';
import { saveDecision } from '#shared/vulnerabilities/vulnerability/save-decision.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';

/** A done issue proves nothing: its subject stays in progress until a scan proves the fix. */
const FOLLOWED = { open: 'open', in_progress: 'in_progress', done: 'in_progress' } as const satisfies Record<
  Category,
  SubjectStatus
>;
type Followed = (typeof FOLLOWED)[Category];

/**
 * Moves the subject of an issue that moved in Jira. Where the subject itself moved since, its status stays and goes to
 * Jira instead; a person's decision on the risk stays too.
 * @returns the subject's new status
 */
export async function pull(
  context: Context,
  { ticket, subject, issue }: { ticket: StoredTicket; subject: Subject | undefined; issue: Issue },
): Promise<SubjectStatus> {
  if (!subject) return 'gone';
  const { status } = subject;
  const known = ticket.status === 'pending' ? 'open' : ticket.status;
  const wanted = FOLLOWED[issue.category];
  const isOwnMove = status !== ticket.subjectStatus || issue.category === known;
  if (isOwnMove || wanted === status || (status !== 'open' && status !== 'in_progress')) return status;
  const reason = `${issue.key} is ${issue.status} in Jira${issue.category === 'done' ? ': a scan must prove it' : ''}`;
  const { type, id } = ticket.subject;
  if (type === 'finding') await moveFinding(context, id, { to: wanted, reason });
  if (type === 'vulnerability') await moveVulnerability(context, id, { to: wanted, reason });
  return type === 'fix' ? status : wanted;
}

type Move = { to: Followed; reason: string };

const moveFinding = ({ table }: Context, id: string, { to, reason }: Move): Promise<void> =>
  retry(async () => {
    const found = await findFinding(table, id);
    if (!found || !isOpen(found.finding.status) || found.finding.status === to) return;
    const { entity, finding } = found;
    const at = now();
    await table.commit((batch) =>
      changeFinding({ table, batch, entity }, finding, {
        changes: moveStatus(finding, { to, at, reason }),
        at,
        reason,
      }),
    );
  });

/** The findings of the vulnerability follow by a task. */
const moveVulnerability = (context: Context, id: string, { to, reason }: Move): Promise<void> =>
  retry(async () => {
    const current = await context.table.find(vulnerabilities, id, true);
    if (!current || !isOpen(current.status)) return;
    const { id: actorId, name } = context.table.actor;
    const changes = decidedChanges(current, { changes: { status: to, reason }, approver: { id: actorId, name } });
    if (changes) await saveDecision(context, current, changes);
  });
