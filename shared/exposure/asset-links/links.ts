import { type AssetLink, MAX_LINKS } from '#shared/assets/asset/asset-link.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { existsCheck } from '#shared/platform/table/exists-check.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { applications } from '../applications/application.ts';
import type { ListAsset } from '../asset-rules/ruleset.ts';
import type { Edit } from '../asset-rules/settle-assets.ts';

/** The link that people made between an asset and an application. */
export const handLink = ({ links = [] }: Pick<ListAsset, 'links'>, applicationId: string): AssetLink | undefined =>
  links.find((link) => link.applicationId === applicationId);

export const ruleLink = ({ ruleLinks = [] }: Pick<ListAsset, 'ruleLinks'>, applicationId: string) =>
  ruleLinks.find((link) => link.applicationId === applicationId);

export const isLinked = (asset: Pick<ListAsset, 'links' | 'ruleLinks'>, applicationId: string): boolean =>
  (handLink(asset, applicationId) ?? ruleLink(asset, applicationId)) !== undefined;

export const isExcluded = ({ excludedFrom = [] }: Pick<ListAsset, 'excludedFrom'>, applicationId: string): boolean =>
  excludedFrom.includes(applicationId);

/** Adds a link, if the application exists. @throws conflict for an asset with too many links */
export function linkEdit(table: Table, asset: ListAsset, link: Omit<AssetLink, 'at' | 'by'> & { at: string }): Edit {
  const links = asset.links ?? [];
  if (links.length >= MAX_LINKS)
    throw conflict(`The asset ${asset.id} belongs to ${MAX_LINKS} applications, which is the limit.`);
  return {
    changes: { links: [...links, { ...link, by: table.actor }] },
    also: (batch) => batch.write(existsCheck(table, applications, link.applicationId)),
  };
}

/** Takes the link that people made. */
export const unlinkEdit = ({ links = [] }: ListAsset, applicationId: string): Edit => ({
  changes: { links: orAbsent(links.filter((link) => link.applicationId !== applicationId)) },
});

export const orAbsent = <T>(list: readonly T[]): T[] | undefined => (list.length > 0 ? [...list] : undefined);
