import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { orAbsent } from '#shared/exposure/asset-links/links.ts';
import { applicationExclusions } from '#shared/exposure/asset-rules/application-exclusion.ts';
import { Concerned, concernedBits } from '#shared/exposure/asset-rules/apply.ts';
import { RuleDraft, withDrafts } from '#shared/exposure/asset-rules/draft.ts';
import { draftRuleset, type ListAsset } from '#shared/exposure/asset-rules/ruleset.ts';
import { changesBy, type Edit } from '#shared/exposure/asset-rules/settle-assets.ts';
import { type Item, placeOf } from '#shared/findings/bulk/found.ts';
import { workParts } from '#shared/findings/bulk/slices.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { newestOf } from '#shared/platform/table/layout/bits.ts';

/** The assets that a change of rules concerns, and the records of the rules as the change would leave them. */
const Input = Concerned.extend({ drafts: z.array(RuleDraft) });
type Drafts = readonly RuleDraft[];

/** Fields of an asset that people see; the rules that an asset meets without an effect are none. */
const SHOWN = ['ruleTags', 'links', 'ruleLinks'] as const;

/** Decides on assets as `apply_asset_rules` would after a change of rules, and changes nothing. */
export async function previewAssetRules(work: Work): Promise<void> {
  const { table, task } = work;
  const { drafts, ...concerned } = Input.parse(task.input);
  const ruleset = await draftRuleset(table, drafts);
  const named = withDrafts(applicationExclusions, [], drafts).flatMap(({ assetId }) => assetId ?? []);
  const decide = async (items: readonly Item[]) => {
    const places = items.map(placeOf);
    const changes = await changesBy({ table, ruleset }, places, excludingBy(drafts));
    const changed = new Map(changes.map((one) => [ordinalOf(one.before.id), effectOf(one)]));
    return places.map((place) => {
      const kind = changed.get(place);
      return kind ? { outcome: 'changed' as const, kind, change: nothing } : { outcome: 'unchanged' as const };
    });
  };
  const select = async () => [
    ...new Set([...newestOf(await concernedBits(table, concerned)), ...named.map(ordinalOf)]),
  ];
  await workParts(work, [{ select, decide, collections: [assets] }]);
}

const nothing = () => undefined;

/** The exclusions of single assets, which the assets have, as the change would leave them. */
function excludingBy(drafts: Drafts): (asset: ListAsset) => Edit {
  const own = drafts.filter(({ of }) => of === applicationExclusions.name);
  const added = withDrafts(applicationExclusions, [], own);
  return ({ id, exclusions = [] }) => {
    const left = exclusions.filter(({ exclusionId }) => !own.some((draft) => draft.id === exclusionId));
    const mine = added.filter(({ assetId }) => assetId === id);
    const more = mine.map(({ applicationId, id: exclusionId }) => ({ applicationId, exclusionId }));
    return { changes: { exclusions: orAbsent([...left, ...more]) } };
  };
}

type Effect = 'added' | 'removed' | 'replaced' | 'other';
type Seen = Pick<Asset, (typeof SHOWN)[number]>;

/** Whether an asset gets tags and applications, loses some, or both; undefined: nothing that people see. */
function effectOf({ before, changes }: { before: ListAsset; changes: Partial<Asset> }): Effect | undefined {
  const after = { ...before, ...changes };
  if (SHOWN.every((field) => isDeepStrictEqual(before[field] ?? [], after[field] ?? []))) return undefined;
  const had = marksOf(before);
  const has = marksOf(after);
  const gains = has.some((mark) => !had.includes(mark));
  const loses = had.some((mark) => !has.includes(mark));
  if (gains && loses) return 'replaced';
  return gains ? 'added' : loses ? 'removed' : 'other';
}

const marksOf = ({ ruleTags = [], links = [], ruleLinks = [] }: Seen): string[] => [
  ...ruleTags.map((tag) => `tag ${tag}`),
  ...[...links, ...ruleLinks].map(({ applicationId }) => applicationId),
];
