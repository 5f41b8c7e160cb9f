import { acceptanceEnd } from '#shared/findings/triage/acceptance.ts';
import { isNoticeOf, nextNotice } from '#shared/findings/triage/acceptance-notice.ts';
import { findFinding } from '#shared/findings/view/find.ts';
import { DAY_MS } from '#shared/platform/runtime/clock.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { unlessOvertaken } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { putTimer, removeTimer } from '#shared/platform/timers/timers.ts';
import { acceptanceEnd as endOfDecision } from '#shared/vulnerabilities/vulnerability/decide.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import type { Due } from './due.ts';

/** Reports once that the acceptance of a risk ends soon, and sets the timer of the next report. */
export async function noteExpiring({ table, timer, drop }: Due): Promise<void> {
  const accepted = await acceptedRisk(table, timer.id);
  if (!accepted || !isNoticeOf(accepted.end, timer.at)) return drop();
  const { entity, id, version, end } = accepted;
  const next = nextNotice(end, timer.at);
  const batch = table.batch();
  const isThere = { ConditionExpression: 'attribute_exists(pk)' };
  batch.write({ ...removeTimer(timer), condition: isThere, fail: () => new Overtaken() });
  if (next !== undefined) batch.write(putTimer({ ...timer, at: next }));
  const acceptedUntil = new Date(end).toISOString();
  const days = Math.round((end - timer.at) / DAY_MS);
  batch.announce({
    kind: 'noted',
    note: 'acceptance.expiring',
    entity,
    id,
    version,
    fields: { acceptedUntil: { to: acceptedUntil }, days: { to: days } },
    masked: [],
  });
  await unlessOvertaken(batch.commit());
}

async function acceptedRisk(table: Table, id: string) {
  const found = await findFinding(table, id);
  const finding = found && { ...found.finding, entity: found.entity.name, end: acceptanceEnd(found.finding) };
  const vulnerability = finding ? undefined : await table.find(vulnerabilities, id, true);
  const risk =
    finding ?? (vulnerability && { ...vulnerability, entity: 'vulnerability', end: endOfDecision(vulnerability) });
  return risk?.end === undefined ? undefined : { entity: risk.entity, id, version: risk.version, end: risk.end };
}
