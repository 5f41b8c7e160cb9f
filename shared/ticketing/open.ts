import { readSecret } from '#shared/code/integrations/secret.ts';
import { reachOf } from '#shared/platform/outgoing/ask.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import type { Recorder } from '#shared/platform/outgoing/record-call.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { type Jira, jiraAt } from './jira/api.ts';
import type { TicketingConnection } from './ticketing-connection.ts';

/**
 * The Jira of a connection, with the token that the organization gave.
 * @param record keeps what is written there
 * @throws HostError
 */
export async function openJira(context: Context, connection: TicketingConnection, record?: Recorder): Promise<Jira> {
  const { access } = (await readSecret(context, connection.id)) ?? {};
  if (!access || !('token' in access)) throw new HostError('no_token', 'Give the connection a `token` first.');
  return jiraAt({ ...connection, ...reachOf(context.connections), record }, access.token);
}
