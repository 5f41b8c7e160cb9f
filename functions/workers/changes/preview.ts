import * as z from 'zod';
import { PREVIEW } from '#shared/findings/bulk/previewed.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';

const Input = z.object({ of: z.string() });

/** The lists of the records that changes are about; other changes are about findings. */
const LISTS: Record<string, string> = {
  update_vulnerabilities: '/api/v1/vulnerabilities',
  update_exposed_credentials: '/api/v1/exposed-credentials',
  update_alerts: '/api/v1/soc/alerts',
  update_incidents: '/api/v1/soc/incidents',
};

type Works = Readonly<Record<string, (work: Work) => Promise<unknown>>>;

/** Works a change whose operation is `of`, without its effects. The input has the input of the change beside `of`. */
export const previewWith =
  (works: Works) =>
  async (work: Work): Promise<Record<string, unknown> | undefined> => {
    const { of } = Input.parse(work.task.input);
    const run = works[of];
    if (!run) throw new Error(`the change ${of}, which nobody works`);
    const preview: NonNullable<Work['preview']> = {};
    await run({ ...work, preview });
    if (!preview.result) return undefined;
    const { results: _named, ...counts } = preview.result;
    return { ...counts, links: { list: `${LISTS[of] ?? '/api/v1/findings'}?filter=${PREVIEW}:${work.task.id}` } };
  };
