import { answerOf } from '../client.ts';
import { type Kind, placed } from './kind.ts';

export const REPORTS: Kind = {
  plural: 'reports',
  columns: ['kind', 'title', 'status', 'asOf', 'id'],
  wide: ['title'],
  isSearched: true,
  facts: [
    'id',
    'kind',
    'title',
    'status',
    'error',
    'asOf',
    'factsHash',
    'headline',
    'tables',
    'createdBy',
    'createdAt',
  ],
  async page(client, { size: paginateSize, filter: search }, from) {
    const query = { paginateFrom: Number(from ?? 0), paginateSize, search };
    return placed(await answerOf(client.GET('/api/v1/reports', { params: { query } })), from);
  },
  show: (client, id) => answerOf(client.GET('/api/v1/reports/{id}', { params: { path: { id } } })),
};

export const REPORT_TEMPLATES: Kind = {
  plural: 'templates of reports',
  columns: ['name', 'kind', 'language', 'id'],
  wide: ['name'],
  facts: [
    'id',
    'name',
    'kind',
    'title',
    'language',
    'classification',
    'periodDays',
    'filter',
    'createdBy',
    'createdAt',
  ],
  isListed: true,
  async page(client, { size: paginateSize }, from) {
    const query = { paginateFrom: Number(from ?? 0), paginateSize };
    return placed(await answerOf(client.GET('/api/v1/report-templates', { params: { query } })), from);
  },
  show: (client, id) => answerOf(client.GET('/api/v1/report-templates/{id}', { params: { path: { id } } })),
};

export const REPORT_SCHEDULES: Kind = {
  plural: 'schedules of reports',
  columns: ['name', 'nextAt', 'lastRun.at', 'enabled', 'id'],
  wide: ['name'],
  facts: [
    'id',
    'name',
    'templateId',
    'recurrence',
    'timeZone',
    'nextAt',
    'lastRun',
    'recipients',
    'onlyIfChanged',
    'enabled',
  ],
  isListed: true,
  async page(client, { size: paginateSize }, from) {
    const query = { paginateFrom: Number(from ?? 0), paginateSize };
    return placed(await answerOf(client.GET('/api/v1/report-schedules', { params: { query } })), from);
  },
  show: (client, id) => answerOf(client.GET('/api/v1/report-schedules/{id}', { params: { path: { id } } })),
};
