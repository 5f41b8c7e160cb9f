import * as z from 'zod';
import { UNDOES } from '#shared/findings/bulk/undo-update.ts';
import { PREVIEW } from '#shared/findings/view/previewed.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';

const Input = z.object({ of: z.string() });

const FINDINGS = '/api/v1/findings';

/** The lists of the records that changes are about; other changes are about findings. */
const LISTS: Record<string, string> = {
  update_vulnerabilities: '/api/v1/vulnerabilities',
  update_exposed_credentials: '/api/v1/exposed-credentials',
  apply_asset_rules: '/api/v1/assets',
  update_alerts: '/api/v1/soc/alerts',
  update_incidents: '/api/v1/soc/incidents',
};

/** The undo of a change is about the records of the change. */
const changedBy = (of: string): string => Object.values(UNDOES).find(({ by }) => by === of)?.of ?? of;

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
    const [first, following] = preview.results ?? [];
    if (!first) return undefined;
    const { results: _named, ...counts } = first;
    const listIn = (path: string) => `${path}?filter=${PREVIEW}:${work.task.id}`;
    const links = { list: listIn(LISTS[changedBy(of)] ?? FINDINGS) };
    if (!following) return { ...counts, links };
    const { matched, changed } = following;
    return { ...counts, findings: { matched, changed }, links: { ...links, findings: listIn(FINDINGS) } };
  };
