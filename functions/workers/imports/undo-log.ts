import type { Asset } from '#shared/assets/asset/asset.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import type { SeenRecord } from '#shared/findings/view/scan-state.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import { taskFiles } from '#shared/ingest/submission.ts';
import { readJson } from '#shared/platform/runtime/stored-json.ts';
import type { Context } from '#shared/platform/table/context.ts';

/** A finding that an import is about to change: its present values of the fields that change, null where it has none. */
export type Noted = {
  id: string;
  from: Record<string, unknown>;
  /** Its last sighting, where the import takes that out of the scope's state. */
  seen?: SeenRecord | undefined;
  /** The content that the import gave it. */
  hash?: string | undefined;
  /** The fields that the report's facts give an asset, should the import have made it. */
  facts?: Partial<Asset> | undefined;
};

export const noted = (current: FindingRow, changes: Partial<StoredFinding>): Noted => ({
  id: current.id,
  from: Object.fromEntries(Object.keys(changes).map((name) => [name, Reflect.get(current, name) ?? null])),
});

type Kind = (files: ReturnType<typeof taskFiles>) => string;
type Source = Context & { taskId: string };

const placeOf = ({ table, taskId }: Source, kind: Kind): string => kind(taskFiles(table.organizationId, taskId));

export const readNoted = async (source: Source, kind: Kind): Promise<Noted[]> =>
  (await readJson<Noted[]>(source.connections.bucket, placeOf(source, kind))) ?? [];

/**
 * Keeps what the task is about to change, before the change, so that a worker that stops leaves no change without its note. The finding itself
 * shows whether a noted change was made.
 */
export async function noteChanges(source: Source, kind: Kind, changes: readonly Noted[]): Promise<void> {
  if (changes.length === 0) return;
  const all = new Map([...(await readNoted(source, kind)), ...changes].map((one) => [one.id, one]));
  await source.connections.bucket.put(placeOf(source, kind), JSON.stringify([...all.values()]));
}
