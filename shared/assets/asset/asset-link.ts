import { createHash } from 'node:crypto';
import * as z from 'zod';
import { Actor, Id, Timestamp } from '#shared/platform/http/records.ts';
import { makeId, ordinalOf, timeOf } from '#shared/platform/runtime/ids.ts';

/** Most applications that an asset belongs to: each is a mark, and a transaction has 100 rows. */
export const MAX_LINKS = 20;

/** A link of an asset to an application that somebody made. */
export const AssetLink = z.object({
  applicationId: Id,
  environmentId: Id.optional(),
  origin: z.enum(['manual', 'bulk']),
  note: z.string().optional(),
  at: Timestamp,
  by: Actor,
});
export type AssetLink = z.infer<typeof AssetLink>;

/** A link that a rule of the application makes, while the asset meets it. */
export const RuleLink = z.object({
  applicationId: Id,
  environmentId: Id.optional(),
  ruleId: Id,
  at: Timestamp,
});
export type RuleLink = z.infer<typeof RuleLink>;

/** The mark of an exclusion that names the asset. */
export const AssetExclusion = z.object({ applicationId: Id, exclusionId: Id });

type Linked = {
  links?: readonly AssetLink[] | undefined;
  ruleLinks?: readonly RuleLink[] | undefined;
};

/** The applications of an asset, in the order of their ids. */
export const applicationsOf = ({ links = [], ruleLinks = [] }: Linked): string[] =>
  [...new Set([...links, ...ruleLinks].map(({ applicationId }) => applicationId))].sort();

/** The id of an asset's link to an application, which carries the asset's ordinal, so that it leads to the asset. */
export const mappingId = (assetId: string, applicationId: string): string =>
  makeId(ordinalOf(assetId), timeOf(assetId), createHash('sha256').update(`${assetId} ${applicationId}`).digest());

const markOf = (applications: readonly string[]): readonly string[] | null =>
  applications.length > 0 ? applications : null;

type Ruled = Linked & {
  retiredAt?: string | null | undefined;
  matches?: readonly string[] | undefined;
  exclusions?: readonly z.infer<typeof AssetExclusion>[] | undefined;
  excludedFrom?: readonly string[] | undefined;
};

/**
 * The index values by which applications, exclusions and rules find their assets: `rule` has every rule and exclusion
 * whose removal affects the asset. A retired asset is in no list of an application, and in none of assets without one.
 */
export const linkMarks = ({ retiredAt, matches = [], exclusions = [], excludedFrom, ...linked }: Ruled) => ({
  application: retiredAt ? undefined : markOf(applicationsOf(linked)),
  excluded: excludedFrom,
  rule: [...matches, ...exclusions.map(({ exclusionId }) => exclusionId), ...(retiredAt ? applicationsOf(linked) : [])],
});
