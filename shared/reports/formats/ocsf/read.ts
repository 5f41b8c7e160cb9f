import { documentEntries, type Entry, readEntries } from '../../entries.ts';
import { textAt } from '../../json.ts';
import type { OpenReport, ReportEvent } from '../../report.ts';
import { draftsOf } from './finding.ts';

/**
 * Events of OCSF's findings category. A lake mixes the events of several products, so each product is a tool of its own:
 * one that is not in a report closes nothing.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  let product: string | undefined;
  const entries = documentEntries(open, {
    lists: [['Findings'], ['findings'], ['events'], ['detail', 'findings']],
    isEntry: (entry) => 'class_uid' in entry,
  });
  for await (const entry of entries) {
    const tool = toolOf(entry);
    if (product !== tool.name) yield tool;
    product = tool.name;
    yield* readEntries(only(entry), draftsOf, 'the event is no finding, or has no title and no identifier');
  }
  if (product === undefined) yield toolOf({});
}

function toolOf({ value }: Pick<Entry, 'value'>): ReportEvent & { kind: 'tool' } {
  const name = textAt(value, 'metadata', 'product', 'name') ?? textAt(value, 'metadata', 'product', 'vendor_name');
  const version = textAt(value, 'metadata', 'product', 'version');
  return { kind: 'tool', name: (name ?? 'OCSF').slice(0, 100), ...(version && { version: version.slice(0, 100) }) };
}

async function* only(entry: Entry): AsyncGenerator<Entry> {
  yield entry;
}
