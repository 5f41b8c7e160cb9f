import { jsonEntries } from '../../readers/entries.ts';
import type { InventoryDraft } from '../../readers/inventories.ts';
import { readInventory, tagsOf } from '../../readers/inventory-report.ts';
import { fieldAt, isObject, type JsonObject, listAt, textAt } from '../../readers/json.ts';
import { parseWithin } from '../../readers/json-limits.ts';
import { knownTexts } from '../../readers/text.ts';
import { type OpenReport, ReportError } from '../../report/report.ts';

/** The resources of AWS Config: of a snapshot that it delivers, or of the answer of get-resource-config-history. */
export const read = (open: OpenReport) =>
  readInventory({
    tool: 'AWS Config',
    entries: jsonEntries(open, 'configurationItems'),
    draftsOf,
    unusable: 'the configuration item has no resource type or no id',
  });

const NOT_THERE = /^(?:ResourceDeleted|ResourceDeletedNotRecorded|ResourceNotRecorded)$/;

function draftsOf(item: JsonObject): InventoryDraft[] | undefined {
  const [type, id] = [textAt(item, 'resourceType'), textAt(item, 'resourceId')];
  const arn = textAt(item, 'ARN') ?? textAt(item, 'arn');
  if (!type || !(arn ?? id)) return undefined;
  if (NOT_THERE.test(textAt(item, 'configurationItemStatus') ?? '')) return [];
  const accountId = textAt(item, 'awsAccountId') ?? textAt(item, 'accountId') ?? null;
  const region = textAt(item, 'awsRegion') ?? null;
  // an id is unique only in its account and region
  const value = arn ?? `aws:${accountId}:${region}:${type}:${id}`;
  const configuration = configurationOf(item);
  const publicIp = textAt(configuration, 'publicIpAddress');
  return [
    {
      asset: { type: 'cloud_resource', value },
      facts: {
        name: textAt(item, 'tags', 'Name') ?? textAt(item, 'resourceName'),
        identifiers: { ...addressesOf(configuration), cloudResourceId: value },
        cloud: { provider: 'aws', accountId, region, resourceId: id ?? null, tags: tagsOf(item.tags) },
        ...(publicIp !== undefined && { internetExposed: true }),
      },
    },
  ];
}

/** The history has the configuration as a text. */
function configurationOf({ configuration }: JsonObject): unknown {
  if (typeof configuration !== 'string') return configuration;
  try {
    return parseWithin(configuration, 'configuration');
  } catch (error) {
    if (error instanceof ReportError) throw error;
    return undefined;
  }
}

function addressesOf(configuration: unknown) {
  const cards = listAt(configuration, 'networkInterfaces').filter(isObject);
  const at = (name: string) => textAt(configuration, name);
  return {
    ips: knownTexts(
      ...[at('privateIpAddress'), at('publicIpAddress')],
      ...cards.map((card) => textAt(card, 'privateIpAddress')),
      ...cards.map((card) => textAt(fieldAt(card, 'association'), 'publicIp')),
    ),
    macs: knownTexts(...cards.map((card) => textAt(card, 'macAddress'))),
    fqdns: knownTexts(at('privateDnsName'), at('publicDnsName')),
  };
}
