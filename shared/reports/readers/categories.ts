import type { ReportEvent } from '../report/report.ts';

/**
 * Names the category of the tool before the findings of each category: a scan closes only findings of categories that it
 * looked for. `categoryOf` answers for the finding that comes next.
 */
export async function* inCategories(
  name: string,
  events: AsyncIterable<ReportEvent>,
  categoryOf: () => string | undefined,
): AsyncGenerator<ReportEvent> {
  let last: string | undefined;
  for await (const event of events) {
    const category = categoryOf();
    if (event.kind === 'finding' && category !== last) yield toolIn(name, category);
    if (event.kind === 'finding') last = category;
    yield event;
  }
}

/** The tool with a category that it looked for, also where it found nothing. */
export const toolIn = (name: string, category: string | undefined): ReportEvent => ({
  kind: 'tool',
  name,
  ...(category && { category }),
});
