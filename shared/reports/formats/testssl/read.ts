import { csvEntries } from '../../readers/csv-entries.ts';
import { type Entry, firstCharacter, jsonEntries, readEntries } from '../../readers/entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { indexAt, textAt } from '../../readers/json.ts';
import { mergedPlaces } from '../../readers/merged-places.ts';
import { nestedEntries } from '../../readers/nested-entries.ts';
import { lookedAt } from '../../readers/ports-looked.ts';
import { Targets } from '../../readers/targets.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { assetOf, draftOf, type Test, testOf, troubleOf } from './test.ts';

/** Reports of testssl.sh: CSV, flat JSON, and JSON with its tests in sections below each target. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'testssl.sh' };
  const scan: Scan = { targets: new Targets(), ports: new Set() };
  yield* readEntries(
    mergedPlaces(draftsOf(open, scan)),
    (draft) => draft,
    'the line has no id, no severity or no host',
  );
  if (scan.trouble) yield { kind: 'incomplete', code: 'tool_error', first: scan.trouble };
  if (scan.ports.size > 0) yield lookedAt(scan.ports);
  yield* scan.targets.events();
}

/** `trouble` is a failure without a target, for example when the scan was stopped. */
type Scan = { targets: Targets; ports: Set<number>; trouble?: string };

async function* draftsOf(open: OpenReport, scan: Scan): AsyncGenerator<Entry<FindingDraft | null>> {
  for await (const { value, where, problem } of testsOf(open)) {
    if (value) note(scan, value);
    const draft = value && draftOf(value);
    yield { where, ...(problem && { problem }), ...(draft !== undefined && { value: draft }) };
  }
}

function note(scan: Scan, test: Test): void {
  const [asset, trouble] = [assetOf(test), troubleOf(test)];
  if (trouble && (!asset || test.id === 'scanTime')) scan.trouble ??= trouble;
  else if (asset && trouble) scan.targets.failed(asset, trouble);
  else if (asset) scan.targets.reached(asset, [test.address]);
  if (asset && test.port !== undefined) scan.ports.add(test.port);
}

async function* testsOf(open: OpenReport): AsyncGenerator<Entry<Test>> {
  const first = await firstCharacter(open);
  if (first === '{') return yield* testsInSections(open);
  const lines =
    first === '[' ? jsonEntries(open) : csvEntries(open, { columns: ['id', 'fqdn/ip', 'severity', 'finding'] });
  for await (const { value, ...rest } of lines) {
    const test = testOf(value);
    yield { ...rest, ...(test && { value: test }) };
  }
}

/** A target that was not reached has a line in place of its sections. */
async function* testsInSections(open: OpenReport): AsyncGenerator<Entry<Test>> {
  const entries = [['scanResult', '[]', '*', '[]']];
  const isReport = (object: object) => 'scanResult' in object;
  for await (const { value, parents, ...rest } of nestedEntries(open, { entries, isReport })) {
    const [target, test] = [parents.at(-1), testOf(value)];
    const [host, address] = [textAt(target, 'targetHost'), textAt(target, 'ip')];
    const port = indexAt(target, 'port');
    const placed = test && { ...test, host: host ?? test.host ?? address, address, port: port ?? test.port };
    yield { ...rest, ...(placed && { value: placed }) };
  }
}
