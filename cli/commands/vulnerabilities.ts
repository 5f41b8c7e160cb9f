import { answerOf } from '../client.ts';
import type { Define } from '../command.ts';
import { type Kind, oneOf, placed, placesOf } from '../records/kind.ts';
import { recordCommands } from '../records/list.ts';

const ORDERS = ['newest', 'priority', 'epss', 'due'] as const;

const VULNERABILITIES: Kind = {
  plural: 'vulnerabilities',
  columns: ['severity', 'advisoryId', 'component.name', 'component.version', 'asset.name', 'status', 'priority', 'id'],
  wide: ['component.name', 'asset.name'],
  orders: ORDERS,
  facts: [
    'id',
    'advisoryId',
    'aliases',
    'title',
    'severity',
    'status',
    'statusReason',
    'priority',
    'ssvc',
    'kev.addedAt',
    'epss.probability',
    'component.name',
    'component.version',
    'component.fixedVersions',
    'asset.name',
    'assignee',
    'dueAt',
    'createdAt',
  ],
  async page(client, asked, from) {
    const query = { ...placesOf(asked, from), sort: oneOf(ORDERS, asked.sort) };
    return placed(await answerOf(client.GET('/api/v1/vulnerabilities', { params: { query } })), from);
  },
  async count(client, filter) {
    const query = placesOf({ filter, size: 1 }, 0);
    return (await answerOf(client.GET('/api/v1/vulnerabilities', { params: { query } }))).totalCount;
  },
  show: (client, id) => answerOf(client.GET('/api/v1/vulnerabilities/{id}', { params: { path: { id } } })),
};

/** `exposure vulnerabilities` */
export const define: Define = (command, act) => recordCommands(command, act, VULNERABILITIES);
