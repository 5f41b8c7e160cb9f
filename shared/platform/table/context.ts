import type { Connections } from '../runtime/connections.ts';
import type { Table } from './table.ts';

/** The world of a step of the service: the connections, and the table of the organization for which the step works. */
export type Context = { connections: Connections; table: Table };
