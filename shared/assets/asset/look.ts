import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '#shared/platform/runtime/clock.ts';
import type { AssetLook } from '../controls/asset-look.ts';
import { type Asset, MAX_TOOLS } from './asset.ts';

/** A look with the same content as the one before is stored only after a week, so that most scans write nothing. */
const RENEWED_MS = 7 * DAY_MS;

type Looked = Pick<Asset, 'looks'>;

/** The change from a look; no change from a report older than the day of the last look. */
export function lookChanges({ looks = [] }: Looked, look: AssetLook): Looked | undefined {
  const last = looks.find(({ tool }) => tool === look.tool);
  if (last && (last.day > look.day || (isRecent(last, look) && isDeepStrictEqual(last.passed, look.passed))))
    return undefined;
  const others = looks.filter((one) => one !== last);
  const newestFirst = [look, ...others].toSorted((a, b) => (a.day < b.day ? 1 : -1));
  return { looks: newestFirst.slice(0, MAX_TOOLS) };
}

const isRecent = (last: AssetLook, { day }: AssetLook): boolean => Date.parse(day) - Date.parse(last.day) < RENEWED_MS;

/** The change that takes looks from an asset, if it has such. */
export function withoutLooks({ looks = [] }: Looked, isOver: (look: AssetLook) => boolean): Looked | undefined {
  const left = looks.filter((look) => !isOver(look));
  return left.length === looks.length ? undefined : { looks: left };
}
