import * as z from 'zod';
import { movedOrdinals } from '#shared/advisories/moved.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { recordsAt } from '#shared/platform/table/selected.ts';
import { refresh } from '#shared/platform/views/refresh.ts';
import type { View } from '#shared/platform/views/view.ts';
import { findingsNaming } from '#shared/vulnerabilities/vulnerability/followers.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { renewInSlices } from './renew-in-slices.ts';

const Input = z.object({ moved: z.string() });

/** Rates the vulnerabilities whose advisories moved in a feed. */
export async function rescoreVulnerabilities(work: Work): Promise<Record<string, unknown> | undefined> {
  const { moved } = Input.parse(work.task.input);
  const select = () => movedOrdinals(work, vulnerabilities, { file: moved, name: 'advisory' });
  return renewInSlices(work, { select, before: rename });
}

/** An advisory may be known under another name since: findings that name it by a rule contribute to that one then. */
async function rename({ table }: Work, view: View, ordinals: readonly number[]): Promise<void> {
  const found = await recordsAt(table, vulnerabilities, ordinals);
  const named = await findingsNaming(
    table,
    found.filter(({ ruleIds }) => ruleIds !== undefined),
  );
  if (named.length === 0) return;
  const records = await recordsAt(table, findings, named);
  await refresh(table, [view], { entity: findings.name, ids: records.map(({ id }) => id) });
}
