import { type CsvRow, csvEntries } from '../../readers/csv-entries.ts';
import { type Entry, firstCharacter, readEntries } from '../../readers/entries.ts';
import { Inventories, osNamed, softwareOfCpe } from '../../readers/inventories.ts';
import { pageOf } from '../../readers/site.ts';
import { Targets } from '../../readers/targets.ts';
import { childrenOf, type XmlElement } from '../../readers/xml.ts';
import { xmlEntries } from '../../readers/xml-entries.ts';
import { rowOf } from '../../readers/xml-row.ts';
import type { OpenReport, ReportEvent, ReportIdentifiers } from '../../report/report.ts';
import { CSV_COLUMNS } from './columns.ts';
import { assetOf, draftOf, failedCheckOf, macsOf, namesOf, problemKey, serviceOf } from './item.ts';

/**
 * Reports of Nessus and Tenable: .nessus files (also of web applications) and CSV. An item of a .nessus file and a row of a
 * CSV have the same fields under other names.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'nessus' };
  const [targets, inventories] = [new Targets(), new Inventories()];
  const about = { targets, inventories };
  const rows = (await firstCharacter(open)) === '<' ? itemsOf(open, about) : rowsOf(open, about);
  yield* readEntries(problemsOf(rows), draftOf, 'the entry names no plugin or no host');
  yield* targets.events();
  yield* inventories.events();
}

const HOST = 'NessusClientData_v2/Report/ReportHost';

type About = { targets: Targets; inventories: Inventories };

async function* itemsOf(open: OpenReport, about: About): AsyncGenerator<Entry<CsvRow>> {
  for await (const { value, parents, where } of xmlEntries(open, [`${HOST}/HostProperties`, `${HOST}/ReportItem`])) {
    const host = parents.at(-1)?.attributes.name?.trim();
    if (value?.name === 'HostProperties' && host) addHost(about, host, value);
    else if (value?.name === 'ReportItem') {
      const row = { ...rowOf(value), ...(host && { Host: host }) };
      addService(about, row);
      noteFailure(about, row);
      yield { value: row, where };
    }
  }
}

/** The scan of a host that was stopped has no end. */
function addHost({ targets, inventories }: About, host: string, properties: XmlElement): void {
  const tags = new Map(childrenOf(properties, 'tag').map(({ attributes, text }) => [attributes.name, text.trim()]));
  const target = pageOf(host)?.asset ?? { type: 'host' as const, value: host };
  const ends = tags.has('HOST_END') || tags.has('HOST_END_TIMESTAMP');
  if (ends) targets.reached(target, [tags.get('host-ip'), tags.get('host-fqdn'), tags.get('host-rdns')]);
  else targets.failed(target, 'the scan of the host did not end');
  if (!ends) return;
  const cpes = [...tags].flatMap(([name, text]) => (/^cpe-\d{1,5}$/.test(name ?? '') ? text.split('->', 1) : []));
  const software = cpes.flatMap((cpe) => softwareOfCpe(cpe) ?? []);
  const os = osNamed(tags.get('operating-system')?.split('\n', 1)[0]);
  const identifiers = identifiersOf((name) => tags.get(name));
  inventories.add({ asset: target, os, services: [], identifiers, ...(software.length > 0 && { software }) });
}

/** The identifiers by which other tools know the host. Each MAC address is on its own line. */
function identifiersOf(tag: (name: string) => string | undefined): ReportIdentifiers {
  const each = (name: string): string[] =>
    tag(name)
      ?.split(/[\s,]+/)
      .filter(Boolean) ?? [];
  return {
    macs: each('mac-address'),
    hostnames: each('netbios-name').map((name) => name.toLowerCase()),
    machineIds: each('bios-uuid'),
    cloudResourceId: tag('aws-instance-instanceId'),
  };
}

/** A host with a compliance check that could not be made keeps its findings. */
function noteFailure({ targets }: Pick<About, 'targets'>, row: CsvRow): void {
  const [asset, check] = [assetOf(row), failedCheckOf(row)];
  if (asset && check) targets.failed(asset, `a compliance check ended with an error: ${check}`);
}

/** A host with an unfinished scan has no inventory: it would seem to lack everything not yet scanned. */
function addService({ inventories }: About, row: CsvRow): void {
  const [asset, service] = [assetOf(row), serviceOf(row)];
  if (asset && service && inventories.has(asset)) inventories.add({ asset, services: [service] });
}

async function* rowsOf(open: OpenReport, { targets, inventories }: About): AsyncGenerator<Entry<CsvRow>> {
  for await (const entry of csvEntries(open, { columns: CSV_COLUMNS })) {
    const asset = entry.value && assetOf(entry.value);
    const service = entry.value && serviceOf(entry.value);
    if (entry.value && asset) targets.reached(asset, namesOf(entry.value));
    if (entry.value) noteFailure({ targets }, entry.value);
    const macs = entry.value ? macsOf(entry.value) : [];
    if (asset) inventories.add({ asset, services: service ? [service] : [], identifiers: { macs } });
    yield entry;
  }
}

/** A plugin with very many CVEs has some hundred rows. */
const MAX_ROWS = 2_000;

/** Neighbouring rows of one problem together. */
async function* problemsOf(rows: AsyncIterable<Entry<CsvRow>>): AsyncGenerator<Entry<CsvRow[]>> {
  let open: { value: CsvRow[]; where: string; key: string } | undefined;
  for await (const { value, ...rest } of rows) {
    const key = value && problemKey(value);
    if (value && open && open.key === key && open.value.length < MAX_ROWS) open.value.push(value);
    else {
      if (open) yield open;
      open = value && { value: [value], where: rest.where, key: key ?? '' };
      if (!value) yield rest;
    }
  }
  if (open) yield open;
}
