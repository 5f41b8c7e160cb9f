import * as z from 'zod';
import { changeMany } from '#shared/findings/bulk/change-many.ts';
import { placeOf } from '#shared/findings/bulk/found.ts';
import { type Part, workParts } from '#shared/findings/bulk/slices.ts';
import { StoredWanted, selectWanted } from '#shared/findings/bulk/wanted.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { viewsLack } from '#shared/platform/views/behind.ts';
import { decidedChanges, StoredDecision } from '#shared/vulnerabilities/vulnerability/change.ts';
import { findingsNaming } from '#shared/vulnerabilities/vulnerability/followers.ts';
import { followingDeciding, type WouldBe } from '#shared/vulnerabilities/vulnerability/following.ts';
import { followersPart, vulnerabilitiesBulk } from '#shared/vulnerabilities/vulnerability/parts.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { decidedResult, restoredResult } from './followed.ts';
import { whenReady } from './ready.ts';
import { readUndone } from './undone.ts';

const Decided = z.object({ decided: z.uuid() });
const Updating = z.union([StoredDecision.extend({ wanted: StoredWanted }), Decided]);

/** Makes a decision on many vulnerabilities, or ends a decision on one, and changes their findings accordingly. */
export async function updateVulnerabilities(work: Work): Promise<Record<string, unknown> | undefined> {
  const input = Updating.parse(work.task.input);
  const ready = 'wanted' in input ? await whenReady(work, input.wanted, viewsLack) : work;
  if (!ready) return undefined;
  const first = 'decided' in input ? madePart(input.decided) : decidingPart(work, input);
  const wouldBe = work.preview && 'wanted' in input ? await decidedBy(work, input) : undefined;
  return decidedResult(await workParts(ready, [first, await followersPart(work.table, wouldBe)]));
}

type Wanting = StoredDecision & { wanted: StoredWanted };

/** The vulnerabilities as the decision would leave them, for the findings that a preview counts. */
async function decidedBy(work: Work, { wanted, ...decision }: Wanting): Promise<WouldBe> {
  const selected = new Set((await selectWanted(work, wanted, vulnerabilities)).map(placeOf));
  return (current) => {
    if (!selected.has(ordinalOf(current.id))) return current;
    try {
      return { ...current, ...decidedChanges(current, decision) };
    } catch (error) {
      if (error instanceof ApiError) return current;
      throw error;
    }
  };
}

const decidingPart = (work: Work, { wanted, ...decision }: Wanting): Part =>
  vulnerabilitiesBulk.part(work.table, () => selectWanted(work, wanted, vulnerabilities), decision);

/** The request itself has changed the vulnerability. */
const madePart = (id: string): Part => ({
  select: async () => [id],
  decide: async (items) => items.map(() => ({ outcome: 'changed' })),
  collections: [],
});

/** Restores the decisions on vulnerabilities that an earlier task replaced, and the own status of their findings. */
export async function undoVulnerabilitiesUpdate(work: Work): Promise<Record<string, unknown> | undefined> {
  const restored = vulnerabilitiesBulk.undoPart(work.table, await readUndone(work));
  // findings follow the vulnerabilities as these are
  if (work.preview) return void (await workParts(work, [restored]));
  return restoredResult(await workParts(work, [restored, await followersPart(work.table)]));
}

const Following = z.union([z.object({ wanted: StoredWanted }), z.object({ vulnerabilityId: z.uuid() })]);

/** Brings findings to the current decisions on their vulnerabilities. */
export async function followVulnerabilities(work: Work): Promise<Record<string, unknown> | undefined> {
  const { table, task } = work;
  const input = Following.parse(task.input);
  const deciding = await followingDeciding(table);
  const select = async () =>
    'wanted' in input
      ? (await selectWanted(work, input.wanted)).map((id) => ordinalOf(String(id)))
      : followersOf(table, input.vulnerabilityId);
  return changeMany(work, { ...deciding, select, entity: findings });
}

async function followersOf(table: Table, id: string): Promise<number[]> {
  const current = await table.find(vulnerabilities, id, true);
  return current ? findingsNaming(table, [current]) : [];
}
