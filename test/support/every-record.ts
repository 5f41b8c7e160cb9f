import { CODE_HOSTS } from '#shared/code/integrations/integration.ts';
import { type ApprovalRequest, approvalRequests } from '#shared/people/approval-request.ts';
import { newDelivery } from '#shared/platform/outgoing/delivery.ts';
import { keepDelivery } from '#shared/platform/outgoing/ledger.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { sourceOf } from '#shared/soc/siem/sources.ts';
import { callersOf } from './every-route.ts';
import { makeTicket } from './jira/tickets.ts';
import { recordsOf } from './records.ts';
import { makeBranch, makeRepository } from './repositories.ts';
import type { TestOrganization } from './system.ts';
import { addFinding, follow, log4j } from './vulnerabilities.ts';

/** A record in every collection, also in those that workers fill. @returns the record's id by the path of its collection */
export async function everyRecordOf(
  connections: Connections,
  organization: TestOrganization,
): Promise<Map<string, string>> {
  await addFinding(organization.table, log4j());
  await addFinding(organization.table, { tool: 'gitleaks', secret: { key: 'theirs', kind: 'token' } });
  await follow({ connections, table: organization.table });
  const records = await recordsOf(await callersOf(organization));
  await follow({ connections, table: organization.table });
  // the asset of a finding that a test made is no record
  const [asset] = (await organization.admin.ok('listAssets')).data;
  records.set('/api/v1/assets', asset?.id ?? '');
  // what is published about vulnerabilities is everybody's: no id of a record is one of these
  records.set('/api/v1/advisories', newId());
  // events of the payment processor are of no organization
  records.set('/api/v1/billing/deliveries', newId());
  // a delivery is named by its target and its id, which a test gives the same value
  const sent = newId();
  const about = { channel: 'webhook', type: 'finding.created', subject: `finding/${newId()}`, payload: '{}' } as const;
  await keepDelivery(organization.table, newDelivery({ targetId: sent, id: sent, ...about }));
  records.set('/api/v1/deliveries', sent);
  // sales requests are of no organization
  records.set('/api/v1/sales-requests', newId());
  records.set('/api/v1/roles/second-person/requests', await waitingRequest(organization));
  // frameworks are everybody's too
  for (const part of ['frameworks', 'controls']) records.set(`/api/v1/compliance/${part}`, newId());
  const incident = records.get('/api/v1/soc/incidents') ?? '';
  const action = { type: 'isolate_host' as const, target: { type: 'host' as const, value: 'web-01' } };
  const asked = await organization.admin.ok('createResponseAction', { params: { id: incident }, body: action });
  records.set('/api/v1/soc/response-actions', asked.id);
  const { client: directory } = await organization.machine('integrator', { name: 'directory' });
  const account = { externalId: 'a', source: 'ldap', names: ['ada'] };
  const { results } = await directory.ok('sendIdentities', { body: { identities: [account] } });
  records.set('/api/v1/identities', results[0]?.recordId ?? '');
  // an endpoint that is called changes at any time
  const endpoint = { params: { id: records.get('/api/v1/webhook-endpoints') ?? '' }, body: { enabled: false } };
  await organization.admin.ok('updateWebhookEndpoint', endpoint);
  const source = await sourceOf(organization.table, { collectorId: newId(), name: 'app' });
  records.set('/api/v1/siem/sources', source.id);
  records.set('/api/v1/ticketing/tickets', (await makeTicket(organization.table)).id);
  for (const vendor of CODE_HOSTS) {
    const repository = await makeRepository(organization.table, vendor);
    records.set(`/api/v1/software/${vendor}/repos`, repository.id);
    records.set(`/api/v1/software/${vendor}/branches`, (await makeBranch(organization.table, repository)).id);
  }
  return records;
}

/** A request for a deletion, which waits for a second person. */
async function waitingRequest({ table }: TestOrganization): Promise<string> {
  const asked = { operation: 'deleteAsset', method: 'DELETE', path: `/api/v1/assets/${newId()}`, query: {}, body: {} };
  const undecided = {
    status: 'waiting',
    expiresAt: inSeconds(3600),
    decidedBy: null,
    decidedAt: null,
    reason: null,
  } as const;
  return (await table.create<ApprovalRequest, never>(approvalRequests, { ...asked, ...undecided })).id;
}
