import type { Work } from '#shared/platform/jobs/worker.ts';
import { renew } from '#shared/platform/views/renew.ts';
import type { View } from '#shared/platform/views/view.ts';
import { inSlices } from './in-slices.ts';
import { openVulnerabilityView } from './list.ts';

type Renewed = {
  /** The ordinals of the vulnerabilities, newest first. */
  select: () => Promise<number[]>;
  /** Comes before a step is renewed. */
  before?: (work: Work, view: View, ordinals: readonly number[]) => Promise<void>;
};

/** Brings vulnerabilities to what feeds and assets say now, in slices. */
export async function renewInSlices(
  work: Work,
  { select, before: prepare }: Renewed,
): Promise<Record<string, unknown> | undefined> {
  const view = await openVulnerabilityView(work.connections);
  return inSlices(work, {
    unit: 'vulnerabilities',
    select,
    async step(ordinals) {
      await prepare?.(work, view, ordinals);
      return renew(work.table, view, ordinals);
    },
  });
}
