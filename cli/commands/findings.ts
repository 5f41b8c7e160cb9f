import { answerOf } from '../client.ts';
import type { Define } from '../command.ts';
import { type Kind, oneOf, placed, placesOf } from '../records/kind.ts';
import { recordCommands } from '../records/list.ts';

const ORDERS = ['newest', 'oldest', 'priority', 'dueAt', 'epss'] as const;

const FINDINGS: Kind = {
  plural: 'findings',
  columns: ['severity', 'title', 'location', 'asset.name', 'status', 'firstSeenAt', 'id'],
  wide: ['title', 'location', 'asset.name'],
  orders: ORDERS,
  hasFiles: true,
  facts: [
    'id',
    'title',
    'severity',
    'status',
    'statusReason',
    'acceptance.approver.name',
    'acceptance.until',
    'priority',
    'dueAt',
    'asset.name',
    'location',
    'tool',
    'ruleId',
    'cves',
    'cwes',
    'kev',
    'epss',
    'assignee',
    'tags',
    'firstSeenAt',
    'lastSeenAt',
    'whyOpen.message',
  ],
  async page(client, asked, from) {
    const query = { ...placesOf(asked, from), sort: oneOf(ORDERS, asked.sort) };
    const answer = await answerOf(client.GET('/api/v1/findings', { params: { query } }));
    return { ...placed(answer, from), reported: answer.data };
  },
  async count(client, filter) {
    const query = placesOf({ filter, size: 1 }, 0);
    return (await answerOf(client.GET('/api/v1/findings', { params: { query } }))).totalCount;
  },
  show: (client, id) => answerOf(client.GET('/api/v1/findings/{id}', { params: { path: { id } } })),
};

/** `exposure findings` */
export const define: Define = (command, act) => recordCommands(command, act, FINDINGS);
