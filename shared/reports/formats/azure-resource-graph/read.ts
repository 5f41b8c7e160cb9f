import { firstCharacter, jsonEntries } from '../../readers/entries.ts';
import { type InventoryDraft, osNamed } from '../../readers/inventories.ts';
import { readInventory, tagsOf } from '../../readers/inventory-report.ts';
import { type JsonObject, textAt } from '../../readers/json.ts';
import { knownTexts } from '../../readers/text.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';

/** The rows of a query of Azure's resources, with the columns of `Resources`. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  const isList = (await firstCharacter(open)) === '[';
  yield* readInventory({
    tool: 'Azure Resource Graph',
    entries: isList ? jsonEntries(open) : jsonEntries(open, 'data'),
    draftsOf,
    unusable: 'the row has no id of a resource',
  });
}

function draftsOf(row: JsonObject): InventoryDraft[] | undefined {
  const id = textAt(row, 'id');
  if (!id?.startsWith('/')) return undefined;
  // Azure writes ids in upper and lower case as it happens
  const value = id.toLowerCase();
  const { properties } = row;
  const hostname = textAt(properties, 'osProfile', 'computerName');
  const system =
    textAt(properties, 'extended', 'instanceView', 'osName') ??
    textAt(properties, 'storageProfile', 'osDisk', 'osType');
  const address = textAt(properties, 'ipAddress');
  const cloud = {
    provider: 'azure',
    accountId: textAt(row, 'subscriptionId') ?? null,
    region: textAt(row, 'location') ?? null,
    resourceId: value,
    tags: tagsOf(row.tags),
  };
  return [
    {
      asset: { type: 'cloud_resource', value },
      os: osNamed(system, textAt(properties, 'extended', 'instanceView', 'osVersion')),
      facts: {
        name: textAt(row, 'name'),
        identifiers: { cloudResourceId: value, hostnames: knownTexts(hostname), ips: knownTexts(address) },
        cloud,
      },
    },
  ];
}
