import type { TicketingConnection } from '../entities/ticketing-connection.ts';
import { readSecret } from '../integrations/secret.ts';
import { reachOf } from '../outgoing/ask.ts';
import { HostError } from '../outgoing/host-error.ts';
import type { Connections } from '../runtime/connections.ts';
import type { Table } from '../table/table.ts';
import { type Jira, jiraAt } from './jira/api.ts';

/** The Jira of a connection, with the token that the organization gave. @throws HostError */
export async function openJira(connections: Connections, table: Table, connection: TicketingConnection): Promise<Jira> {
  const { access } = (await readSecret(connections, table, connection.id)) ?? {};
  if (!access || !('token' in access)) throw new HostError('no_token', 'Give the connection a `token` first.');
  return jiraAt({ ...connection, ...reachOf(connections) }, access.token);
}
