import { documentEntries, type Entry, readEntries } from '../../readers/entries.ts';
import { type JsonObject, textAt } from '../../readers/json.ts';
import { PassedChecks } from '../../readers/passed-checks.ts';
import { Repetitions } from '../../readers/repetitions.ts';
import { passedChecks } from '../../readers/security-hub.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { controlOf } from './control.ts';
import { assetOf, draftsOf } from './finding.ts';

/**
 * Events of OCSF's findings category. A lake mixes the events of several products, so each product is a tool of its
 * own: a product that is not in a report closes nothing.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  let product: string | undefined;
  const repetitions = new Map<string, Repetitions>();
  const passed = new PassedChecks();
  const noted = (event: JsonObject) => {
    for (const check of passedChecks(controlOf(event))) passed.add(check, assetOf(event));
    return draftsOf(event);
  };
  const entries = documentEntries(open, {
    lists: [['Findings'], ['findings'], ['events'], ['detail', 'findings']],
    isEntry: (entry) => 'class_uid' in entry,
  });
  for await (const entry of entries) {
    const tool = toolOf(entry);
    if (product !== tool.name) yield tool;
    product = tool.name;
    const known = repetitions.get(product) ?? new Repetitions();
    repetitions.set(product, known);
    yield* readEntries(only(entry), noted, 'the event is no finding, or has no title and no identifier', known);
  }
  if (product === undefined) yield toolOf({});
  yield* passed.events();
}

function toolOf({ value }: Pick<Entry, 'value'>): ReportEvent & { kind: 'tool' } {
  const name = textAt(value, 'metadata', 'product', 'name') ?? textAt(value, 'metadata', 'product', 'vendor_name');
  const version = textAt(value, 'metadata', 'product', 'version');
  return { kind: 'tool', name: (name ?? 'OCSF').slice(0, 100), ...(version && { version: version.slice(0, 100) }) };
}

async function* only(entry: Entry): AsyncGenerator<Entry> {
  yield entry;
}
