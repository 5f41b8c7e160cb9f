import { findings } from '#shared/findings/finding/finding.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { recordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { createEngagement } from '#shared/scanning/engagement-tasks/create.ts';
import { retestOf } from '#shared/scanning/engagement-tasks/retest.ts';
import { type StoredTicket, tickets } from '#shared/ticketing/ticket.ts';
import { findingsNaming } from '#shared/vulnerabilities/vulnerability/followers.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';

/** The most findings of a vulnerability that are read to find the engagement that found them. */
const MAX_FINDINGS = 500;

/** Below an analyst, so that a person decides whether and when the scan may run. */
const JIRA = { kind: 'service_account', role: 'viewer', id: 'ticketing', name: 'Jira' } as const;

class AskedBefore extends Error {}

/**
 * Requests a scan of the subject of a done issue, in the way of the engagement that found it, once each time that the
 * issue becomes done. Findings of imports wait for the next import.
 */
export async function requestRetest({ table, connections }: Work, { id, title, subject }: StoredTicket): Promise<void> {
  const body = await retestOf(table, { found: await foundOf(table, subject), title });
  if (!body) return;
  const caller = { ...JIRA, organizationId: table.organizationId };
  try {
    await createEngagement({
      table,
      connections,
      caller,
      body,
      async beside(batch, { id: retestId }) {
        const current = await table.get(tickets, id, true);
        if (current.retestId) throw new AskedBefore();
        batch.update(tickets, current, table.changed<StoredTicket, never>(current, { retestId }));
      },
    });
  } catch (error) {
    if (error instanceof AskedBefore) return;
    if (!(error instanceof ApiError)) throw error;
    // its scanners or credentials are gone: the next planned scan proves the fix
    log.warn('a done issue cannot be followed by a scan', { ticketId: id, reason: error.message });
  }
}

async function foundOf(table: Table, { type, id }: StoredTicket['subject']) {
  if (type === 'finding') return table.findMany(findings, [id], true);
  const current = type === 'vulnerability' ? await table.find(vulnerabilities, id, true) : undefined;
  const ordinals = current ? await findingsNaming(table, [current]) : [];
  return recordsAt(table, findings, ordinals.slice(0, MAX_FINDINGS));
}
