import { DAY_MS } from '#shared/platform/runtime/clock.ts';
import { type Asset, seenAt, toolsTogether } from './asset.ts';

/** When something saw an asset, and which tools. */
export type Sighting = { at: string; tools: readonly string[] };

/** The change that a sighting makes: a day or more must have passed, or the tool be new, so that most scans write nothing. */
export function sightingChanges(asset: Asset, { at, tools }: Sighting): Partial<Asset> | undefined {
  const { sources = [] } = asset;
  const last = seenAt(asset);
  const known = toolsTogether(sources, tools);
  if (Date.parse(at) - Date.parse(last) < DAY_MS && known.every((tool) => sources.includes(tool))) return undefined;
  return { lastSeenAt: at > last ? at : last, sources: known };
}
