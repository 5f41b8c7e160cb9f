import { type CsvRow, csvEntries } from '../../csv-entries.ts';
import { type Entry, firstCharacter, readEntries } from '../../entries.ts';
import type { OpenReport, ReportEvent } from '../../report.ts';
import { pageOf } from '../../site.ts';
import { Targets } from '../../targets.ts';
import { childrenOf, type XmlElement } from '../../xml.ts';
import { xmlEntries } from '../../xml-entries.ts';
import { rowOf } from '../../xml-row.ts';
import { CSV_COLUMNS } from './columns.ts';
import { assetOf, draftOf, namesOf, problemKey } from './item.ts';

/**
 * Reports of Nessus and Tenable: .nessus files (also of web applications) and CSV. An item of a .nessus file and a row of a
 * CSV have the same fields under other names.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'nessus' };
  const targets = new Targets();
  const rows = (await firstCharacter(open)) === '<' ? itemsOf(open, targets) : rowsOf(open, targets);
  yield* readEntries(problemsOf(rows), draftOf, 'the entry names no plugin or no host');
  yield* targets.events();
}

const HOST = 'NessusClientData_v2/Report/ReportHost';

async function* itemsOf(open: OpenReport, targets: Targets): AsyncGenerator<Entry<CsvRow>> {
  for await (const { value, parents, where } of xmlEntries(open, [`${HOST}/HostProperties`, `${HOST}/ReportItem`])) {
    const host = parents.at(-1)?.attributes.name?.trim();
    if (value?.name === 'HostProperties' && host) addHost(targets, host, value);
    else if (value?.name === 'ReportItem') yield { value: { ...rowOf(value), ...(host && { Host: host }) }, where };
  }
}

/** The scan of a host that was stopped has no end. */
function addHost(targets: Targets, host: string, properties: XmlElement): void {
  const tags = new Map(childrenOf(properties, 'tag').map(({ attributes, text }) => [attributes.name, text.trim()]));
  const target = pageOf(host)?.asset ?? { type: 'host' as const, value: host };
  const ends = tags.has('HOST_END') || tags.has('HOST_END_TIMESTAMP');
  if (ends) targets.reached(target, [tags.get('host-ip'), tags.get('host-fqdn'), tags.get('host-rdns')]);
  else targets.failed(target, 'the scan of the host did not end');
}

async function* rowsOf(open: OpenReport, targets: Targets): AsyncGenerator<Entry<CsvRow>> {
  for await (const entry of csvEntries(open, { columns: CSV_COLUMNS })) {
    const asset = entry.value && assetOf(entry.value);
    if (entry.value && asset) targets.reached(asset, namesOf(entry.value));
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
