import { type InventoryDraft, osNamed } from '../../readers/inventories.ts';
import { tagsOf } from '../../readers/inventory-report.ts';
import { fieldAt, type JsonObject, listAt, textAt } from '../../readers/json.ts';
import { knownTexts } from '../../readers/text.ts';
import type { ReportAsset, ReportFacts } from '../../report/report.ts';

/** The host of an event's device, by the name under which scans know it. */
function hostOf(device: unknown): ReportAsset | undefined {
  const value = textAt(device, 'hostname') ?? textAt(device, 'name') ?? textAt(device, 'ip') ?? textAt(device, 'uid');
  return value === undefined ? undefined : { type: 'host', value: value.toLowerCase() };
}

export function deviceDrafts(event: JsonObject): InventoryDraft[] | undefined {
  const { device } = event;
  const asset = hostOf(device);
  if (!asset) return undefined;
  const cards = listAt(device, 'network_interfaces');
  const every = (field: string) => knownTexts(textAt(device, field), ...cards.map((card) => textAt(card, field)));
  const instance = textAt(device, 'instance_uid');
  const agents = listAt(device, 'agent_list');
  const identifiers = {
    ips: every('ip'),
    macs: every('mac'),
    hostnames: every('hostname'),
    cloudResourceId: instance,
    agentId: textAt(agents[0], 'uid'),
    serialNumber: textAt(device, 'hw_info', 'serial_number'),
  };
  const os = osNamed(textAt(device, 'os', 'name') ?? textAt(device, 'os', 'type'), textAt(device, 'os', 'version'));
  const cloud = cloudOf(event, { region: textAt(device, 'region'), resourceId: instance });
  return [{ asset, os, facts: { name: textAt(device, 'name'), identifiers, ...cloud } }];
}

/** One event reports one package, or the components of a bill of materials. */
export function softwareDrafts(event: JsonObject): InventoryDraft[] | undefined {
  const asset = hostOf(event.device);
  if (!asset) return undefined;
  const packages = [event.package, fieldAt(event, 'sbom', 'package'), ...listAt(event, 'sbom', 'software_components')];
  const software = packages.flatMap((one) => {
    const name = textAt(one, 'name');
    const said = { version: textAt(one, 'version'), vendor: textAt(one, 'vendor_name') };
    return name ? [{ name, ...said, purl: textAt(one, 'purl'), cpe: textAt(one, 'cpe_name') }] : [];
  });
  return [{ asset, software }];
}

export function resourceDrafts(event: JsonObject): InventoryDraft[] | undefined {
  const resources = listAt(event, 'resources');
  const drafts = resources.flatMap((resource): InventoryDraft[] => {
    const value = textAt(resource, 'uid');
    if (!value) return [];
    const identifiers = {
      cloudResourceId: value,
      ips: knownTexts(textAt(resource, 'ip')),
      hostnames: knownTexts(textAt(resource, 'hostname')),
    };
    const tags = Object.fromEntries(
      listAt(resource, 'tags').map((tag) => [textAt(tag, 'name') ?? '', textAt(tag, 'value')]),
    );
    const cloud = cloudOf(event, { region: textAt(resource, 'region'), resourceId: value, tags });
    return [
      { asset: { type: 'cloud_resource', value }, facts: { name: textAt(resource, 'name'), identifiers, ...cloud } },
    ];
  });
  return drafts.length > 0 ? drafts : undefined;
}

type Place = { region: string | undefined; resourceId: string | undefined; tags?: unknown };

function cloudOf({ cloud }: JsonObject, { region, resourceId, tags }: Place): Pick<ReportFacts, 'cloud'> {
  const provider = textAt(cloud, 'provider')?.toLowerCase();
  if (!provider) return {};
  const accountId = textAt(cloud, 'account', 'uid') ?? null;
  const place = { region: region ?? textAt(cloud, 'region') ?? null, resourceId: resourceId ?? null };
  return { cloud: { provider, accountId, ...place, tags: tagsOf(tags) } };
}
