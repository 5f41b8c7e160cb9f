import { answerOf } from '../client.ts';
import type { Define } from '../command.ts';
import { type Kind, placed, placesOf } from '../records/kind.ts';
import { recordCommands } from '../records/list.ts';

const ALERTS: Kind = {
  plural: 'alerts',
  columns: ['severity', 'title', 'status', 'eventCount', 'assignee', 'lastEventAt', 'id'],
  wide: ['title', 'assignee'],
  facts: [
    'id',
    'title',
    'severity',
    'status',
    'resolution',
    'source',
    'entities',
    'attackTechniques',
    'eventCount',
    'assignee',
    'incidentId',
    'firstEventAt',
    'lastEventAt',
  ],
  async page(client, asked, from) {
    const query = { ...placesOf(asked, from) };
    return placed(await answerOf(client.GET('/api/v1/soc/alerts', { params: { query } })), from);
  },
  async count(client, filter) {
    const query = placesOf({ filter, size: 1 }, 0);
    return (await answerOf(client.GET('/api/v1/soc/alerts', { params: { query } }))).totalCount;
  },
  show: (client, id) => answerOf(client.GET('/api/v1/soc/alerts/{id}', { params: { path: { id } } })),
};

/** `exposure alerts` */
export const define: Define = (command, act) => recordCommands(command, act, ALERTS);
