import { answerOf } from '../client.ts';
import type { Define } from '../command.ts';
import { type Kind, oneOf, placed, placesOf } from '../records/kind.ts';
import { recordCommands } from '../records/list.ts';

const ORDERS = ['newest', 'lastSeenAt'] as const;

const ASSETS: Kind = {
  plural: 'assets',
  columns: ['type', 'name', 'criticality', 'riskScore', 'tags', 'lastSeenAt', 'id'],
  wide: ['name', 'tags'],
  orders: ORDERS,
  facts: [
    'id',
    'name',
    'type',
    'zone',
    'criticality',
    'riskScore',
    'internetExposed',
    'owner',
    'tags',
    'applications',
    'openFindings',
    'firstSeenAt',
    'lastSeenAt',
  ],
  async page(client, asked, from) {
    const query = { ...placesOf(asked, from), sort: oneOf(ORDERS, asked.sort) };
    return placed(await answerOf(client.GET('/api/v1/assets', { params: { query } })), from);
  },
  async count(client, filter) {
    const query = placesOf({ filter, size: 1 }, 0);
    return (await answerOf(client.GET('/api/v1/assets', { params: { query } }))).totalCount;
  },
  show: (client, id) => answerOf(client.GET('/api/v1/assets/{id}', { params: { path: { id } } })),
};

/** `exposure assets` */
export const define: Define = (command, act) => recordCommands(command, act, ASSETS);
