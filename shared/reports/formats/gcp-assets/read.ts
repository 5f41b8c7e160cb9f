import { documentEntries } from '../../readers/entries.ts';
import type { InventoryDraft } from '../../readers/inventories.ts';
import { readInventory, tagsOf } from '../../readers/inventory-report.ts';
import { fieldAt, type JsonObject, listAt, textAt } from '../../readers/json.ts';
import { knownTexts } from '../../readers/text.ts';
import type { OpenReport } from '../../report/report.ts';

/** Google's assets with their resources: lines of an export, a list, or the answer of the API. */
export const read = (open: OpenReport) =>
  readInventory({
    tool: 'GCP Cloud Asset Inventory',
    entries: documentEntries(open, { lists: [['assets']], isEntry: (first) => typeOf(first) !== undefined }),
    draftsOf,
    unusable: 'the asset has no name or no type',
  });

const typeOf = (asset: JsonObject): string | undefined => textAt(asset, 'assetType') ?? textAt(asset, 'asset_type');

function draftsOf(asset: JsonObject): InventoryDraft[] | undefined {
  const value = textAt(asset, 'name');
  if (!value || !typeOf(asset)) return undefined;
  const data = fieldAt(asset, 'resource', 'data');
  const cards = listAt(data, 'networkInterfaces');
  const outside = cards.flatMap((card) => listAt(card, 'accessConfigs').map((access) => textAt(access, 'natIP')));
  const publicIps = knownTexts(...outside);
  return [
    {
      asset: { type: 'cloud_resource', value },
      facts: {
        name: textAt(data, 'displayName') ?? textAt(data, 'name') ?? value.split('/').at(-1),
        identifiers: {
          cloudResourceId: value,
          ips: knownTexts(...cards.map((card) => textAt(card, 'networkIP')), ...publicIps),
          fqdns: knownTexts(textAt(data, 'hostname')),
        },
        cloud: {
          provider: 'gcp',
          accountId: /\/projects\/([^/]{1,100})/.exec(value)?.[1] ?? null,
          region: textAt(asset, 'resource', 'location') ?? null,
          resourceId: textAt(data, 'id') ?? null,
          tags: tagsOf(fieldAt(data, 'labels')),
        },
        ...(publicIps.length > 0 && { internetExposed: true }),
      },
    },
  ];
}
