import * as z from 'zod';
import { reads, writes } from '#shared/platform/auth/access.ts';
import { Listing, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { Deletion, Id, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, remove } from '#shared/platform/http/route.ts';
import { SiemSource, SiemSourceView, SOURCE_STATUSES } from '#shared/soc/siem/siem-source.ts';
import { collectorRoutes } from './collector-routes.ts';

const sources = '/api/v1/siem/sources';

const quiet = z
  .enum(['true', 'false'])
  .optional()
  .meta({ description: '`true`: sources that sent no events within 24 hours' });

export const siemRoutes = defineRoutes({
  listSources: get(sources, {
    summary: 'List the sources of events with their volume, newest first',
    description:
      'The first batch of a source creates it, or its collector declares it. A source is `silent` once `expectedEverySeconds` have ' +
      'passed since its last batch. The filters combine.',
    access: reads('soc:read'),
    query: Listing.extend({ status: z.enum(SOURCE_STATUSES).optional(), collectorId: Id.optional(), quiet }),
    response: pageOf(SiemSourceView),
  }),
  searchSources: get(`${sources}/search`, {
    summary: 'Search sources by the words of their name, kind and format',
    description: 'Each word must be the beginning of a word of the source.',
    access: reads('soc:read'),
    query: SearchQuery,
    response: searchPageOf(SiemSourceView),
  }),
  getSource: get(`${sources}/{id}`, {
    summary: 'Read a source of events',
    description:
      '`events24h` and `bytes24h` count events by their time, for the current hour (UTC) and the previous 23 hours.',
    access: reads('soc:read'),
    response: SiemSourceView,
  }),
  updateSource: patch(`${sources}/{id}`, {
    summary: 'Change how the events of a source are read, and when its silence raises an alert',
    description:
      'A merge patch. The new time counts from the last batch, so the source may become silent or active at once.',
    access: writes('soc:write'),
    body: patchBody(SiemSource),
    response: SiemSourceView,
  }),
  deleteSource: remove(`${sources}/{id}`, {
    summary: 'Delete a source that no longer sends events',
    description:
      'Its events stay until the end of their retention. A further batch creates a new source of the same name.',
    access: writes('soc:write'),
    response: Deletion,
  }),
  ...collectorRoutes,
});
