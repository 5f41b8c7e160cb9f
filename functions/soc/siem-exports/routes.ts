import * as z from 'zod';
import { reads } from '#shared/platform/auth/access.ts';
import { EXPORT_DAYS, ExportedFile, followedExport, queuedExport } from '#shared/platform/exports/export.ts';
import { defineRoutes, get, post } from '#shared/platform/http/route.ts';
import { Task } from '#shared/platform/jobs/task.ts';
import { WaitSeconds } from '#shared/platform/jobs/wait.ts';
import { EventExportResult, EventsExport } from '#shared/soc/hunting/export.ts';

const path = '/api/v1/siem/events/export';

const ExportedEvents = z
  .object({ ...ExportedFile.shape, ...EventExportResult.omit({ format: true }).shape })
  .meta({ id: 'SiemEventsFile' });
const EventsExportAnswer = followedExport(ExportedEvents).meta({ id: 'SiemEventsExportAnswer' });
const EventsExportQueued = queuedExport(ExportedEvents).meta({ id: 'SiemEventsExportQueued' });

export const siemExportRoutes = defineRoutes({
  exportEvents: post(path, {
    summary: 'Export the events that fit as CSV or JSON lines, or try a rule on all of them',
    description:
      'A queued task writes all events that fit into a file, newest first. With `ruleId`, or the text of a new rule in `content`, this ' +
      'hunts on the past: the task tries the rule on each stored event, and its result counts and shows the events that match. ' +
      `\`GET ${path}/{taskId}\` has the progress, the result and the address of the file.`,
    access: reads('soc:read'),
    readOnly: true,
    query: z.object({ waitSeconds: WaitSeconds }),
    body: EventsExport,
    response: EventsExportQueued,
  }),
  getEventsExport: get(`${path}/{taskId}`, {
    summary: 'Get the state of an export or a hunt, its result and the address of its file',
    description:
      'The address works for 15 minutes and needs no credential; `waitSeconds` waits for the end. The file is removed after ' +
      `${EXPORT_DAYS} days.`,
    access: reads('soc:read'),
    query: z.object({ waitSeconds: WaitSeconds }),
    response: EventsExportAnswer,
  }),
  cancelEventsExport: post(`${path}/{taskId}/cancel`, {
    summary: 'Cancel an export or a hunt',
    description: 'The task ends within half a minute and leaves no file. A finished task is refused with `conflict`.',
    access: reads('soc:read'),
    readOnly: true,
    response: Task,
  }),
});
