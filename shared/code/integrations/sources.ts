import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite, rowKey } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { hostOf, type Integration } from './integration.ts';

/** An account of a code host: the sender that a delivery names. */
export type Account = Pick<Integration, 'kind' | 'account'> & { host: string };

type WebhookSource = Account & { organizationId: string; integrationId: string };

/**
 * The integrations of all organizations by their account. Several may name one account: the secret that signed a
 * delivery decides between them.
 */
export const webhookSources = defineRow<WebhookSource>({
  name: 'webhook-source',
  about: 'an integration by the account whose events it takes; global key scope',
  key: (source) => [partitionOf(source), `${source.organizationId}#${source.integrationId}`],
});

export const partitionOf = ({ kind, host, account }: Account): string => `${kind}#${host}#${account}`;

const sourceOf = ({ organizationId }: Table, integration: Integration): WebhookSource => ({
  kind: integration.kind,
  host: hostOf(integration),
  account: integration.account,
  organizationId,
  integrationId: integration.id,
});

export const putSource = (table: Table, integration: Integration): Write =>
  putWrite(GLOBAL_SCOPE, webhookSources, { row: sourceOf(table, integration) });

export const removeSource = (table: Table, integration: Integration): Write => ({
  remove: rowKey(GLOBAL_SCOPE, webhookSources, sourceOf(table, integration)),
});
