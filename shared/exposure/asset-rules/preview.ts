import * as z from 'zod';
import { Asset, assets } from '#shared/assets/asset/asset.ts';
import { presentBits } from '#shared/assets/conditions/narrow.ts';
import { branchesOf } from '#shared/findings/branches/branch-names.ts';
import { markPreviewed, PREVIEW } from '#shared/findings/view/previewed.ts';
import type { Compiled } from '#shared/platform/filter/compile.ts';
import type { AssetCondition } from '#shared/platform/filter/schema.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { elapsedMs } from '#shared/platform/runtime/clock.ts';
import { newId, ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Marked } from '#shared/platform/table/combined.ts';
import { type Bits, bitsAt, newestOf } from '#shared/platform/table/layout/bits.ts';
import { recordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { assertCondition, conditionCompiler, seenAsset } from './condition.ts';

/** A preview reads at most this many assets, and stops after this time: it answers within two seconds. */
const MAX_EXAMINED = 10_000;
const MAX_MS = 1_200;
/** Assets that are read together. */
const PART = 1_000;
const MAX_SAMPLE = 20;

const SampledAsset = Asset.pick({ id: true, type: true, name: true, value: true, zone: true });

/** The fields of every preview of a rule. */
export const previewFields = {
  matchCount: z.int().meta({ description: 'the assets that meet the condition' }),
  examined: z.int().meta({
    description: 'the number of assets that were read; 0 if the index alone has the answer',
  }),
  isComplete: z.boolean().meta({
    description:
      `false: more assets may meet the condition than were read (at most ${MAX_EXAMINED}, within a second), and the counts cover ` +
      'the newest of them',
  }),
  sample: z.array(SampledAsset).meta({ description: `the newest ${MAX_SAMPLE} that would change` }),
  links: z.object({ list: z.string() }).meta({
    description: 'the list of the assets that would change, for a day',
    example: { list: '/api/v1/assets?filter=preview:01900000-0000-7000-8000-000000000000' },
  }),
};

type Met = { bits: Bits; examined: number; isComplete: boolean };

/**
 * The assets that meet a condition: from the index where it can decide, otherwise from the candidates of the index.
 * @param tagged whether the condition sees the tags of rules
 * @param within the assets that count
 */
export async function metBy(
  table: Table,
  condition: AssetCondition,
  tagged: boolean,
  within: Marked = 'everything',
): Promise<Met> {
  await assertCondition(condition);
  const compiled = (await conditionCompiler(tagged))(condition);
  const { within: marked, exact } = compiled;
  const bits = await presentBits(table, within === 'everything' ? marked : { all: [marked, within] });
  if (exact) return { bits, examined: 0, isComplete: true };
  const ordinals = newestOf(bits, { size: MAX_EXAMINED + 1 });
  const end = elapsedMs() + MAX_MS;
  const met: string[] = [];
  let examined = 0;
  for (const part of chunksOf(ordinals.slice(0, MAX_EXAMINED), PART)) {
    if (elapsedMs() > end) break;
    const some = await meeting(table, compiled, { part, tagged, end });
    met.push(...some.met);
    examined += some.examined;
    if (some.examined < part.length) break;
  }
  return { bits: bitsAt(met.map(ordinalOf)), examined, isComplete: examined === ordinals.length };
}

type Examined = { part: readonly number[]; tagged: boolean; end: number };

/** The ids of the assets of a part that meet the condition, within the time limit. */
async function meeting(table: Table, { test, asks }: Compiled, { part, tagged, end }: Examined) {
  const read = await recordsAt(table, assets, part);
  const branches = await branchesOf(table, read, { asksBranches: asks.includes('branch') });
  const met: string[] = [];
  for (const [n, asset] of read.entries()) {
    if (elapsedMs() > end) return { met, examined: n };
    const own = tagged ? asset : { ...asset, ruleTags: undefined };
    if (test(seenAsset(own, branches.get(asset.id)))) met.push(asset.id);
  }
  return { met, examined: part.length };
}

/** The assets that would change: the newest in the form of previews, and the list of all. */
export async function changing(table: Table, bits: Bits) {
  const id = newId();
  const ordinals = newestOf(bits);
  const [read] = await Promise.all([
    recordsAt(table, assets, ordinals.slice(0, MAX_SAMPLE)),
    markPreviewed(table, assets, { id, ordinals }),
  ]);
  const sample = read.toSorted((a, b) => (a.id < b.id ? 1 : -1)).map((asset) => SampledAsset.parse(asset));
  return { sample, links: { list: `/api/v1/assets?filter=${PREVIEW}:${id}` } };
}
