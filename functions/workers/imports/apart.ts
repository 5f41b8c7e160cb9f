import { allSeen, type ScanState, seenWhere } from '#shared/findings/view/scan-state.ts';
import type { Applied } from './phases.ts';
import type { MissingRecord } from './proof.ts';

/** The folder of a file, or of a printed line such as `apps/api/main.ts:7`; `''` is the root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** The folders above a folder and itself, `''` included. */
function foldersTo(folder: string): string[] {
  const parts = folder === '' ? [] : folder.split('/');
  return ['', ...parts.map((_, n) => parts.slice(0, n + 1).join('/'))];
}

/**
 * Whether a missing finding may be of another part of a repository than the report: the report that saw it last has no
 * finding in common with this one, and this one has no file in or above or below its folder. Such a report closes
 * nothing by itself. A report whose sender names its part has a scan scope of its own.
 */
export function apartBy(
  { submission, manifest, earlier, at }: Applied,
  state: ScanState,
): (missing: MissingRecord) => boolean {
  const { folders = [] } = manifest;
  const { source, target, part } = submission;
  if (source !== 'import' || target?.type !== 'repository' || part !== undefined || folders.length === 0)
    return () => false;
  const since = Date.parse(at);
  const seenNow = new Set(seenWhere(state, ({ seenAt }) => seenAt >= since).map(({ id }) => id));
  const shared = new Set<number>();
  for (const { id, seenAt } of allSeen(earlier.state)) if (seenNow.has(id)) shared.add(seenAt);
  const [own, above] = [new Set(folders), new Set(folders.flatMap(foldersTo))];
  return ({ seen, current }) => {
    const folder = folderOf(current.location);
    const isOverlapping = above.has(folder) || foldersTo(folder).some((one) => own.has(one));
    return current.asset.type === 'repository' && !shared.has(seen.seenAt) && !isOverlapping;
  };
}
