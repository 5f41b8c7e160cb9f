import type * as z from 'zod';
import { exportFile } from '#shared/platform/exports/exported-file.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { type EventsExport, EXPORT_EVENTS } from '#shared/soc/hunting/export.ts';
import { openSearch } from '#shared/soc/hunting/read-newest.ts';
import { huntForText } from '#shared/soc/hunting/text-test.ts';
import { siemSources } from '#shared/soc/siem/siem-source.ts';

type Asked = { waitSeconds: number; body: z.output<typeof EventsExport> };

/** Queues an export of the events of a time that does not move. @throws validation_failed for a question that cannot be answered */
export async function exportEvents(context: Context, { waitSeconds, body }: Asked) {
  const { cursor, hours } = await openSearch(context, body, { hunt: await huntForText(context.table, body.content) });
  const { sourceId } = body;
  // a source that somebody deleted may have events until the end of their retention
  if (sourceId !== undefined && hours.length === 0 && !(await context.table.find(siemSources, sourceId)))
    throw invalid('sourceId', 'there is no such source, and no events of it in this time');
  const { from, to } = cursor;
  return exportFile(context, EXPORT_EVENTS, { input: { ...body, from, to }, waitSeconds });
}
