import { type Entry, firstCharacter, readEntries } from '../../readers/entries.ts';
import { Inventories } from '../../readers/inventories.ts';
import type { JsonObject } from '../../readers/json.ts';
import { nestedEntries } from '../../readers/nested-entries.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { draftsOf, softwareOf } from './package.ts';
import { taggedPackages } from './tag-value.ts';

/**
 * SPDX's packages of version 2 (JSON and tag-value) and version 3. It is an inventory: only the advisories that it
 * names for a package are findings, and a missing advisory proves nothing gone.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'SPDX' };
  const packages: AsyncIterable<Entry> =
    (await firstCharacter(open)) === '{' ? packagesInJson(open) : taggedPackages(open);
  const inventories = new Inventories();
  const read = (element: JsonObject) => {
    const software = softwareOf(element);
    if (software) inventories.add({ asset: null, software: [software] });
    return draftsOf(element);
  };
  yield* readEntries(packages, read, 'the package has no name');
  yield* inventories.events();
  yield { kind: 'incomplete', reason: 'an SPDX document is an inventory, so it proves no problem gone' };
}

const packagesInJson = (open: OpenReport): AsyncIterable<Entry> =>
  nestedEntries(open, {
    entries: [
      ['packages', '[]'],
      ['@graph', '[]'],
    ],
    ignored: ['files', 'relationships', 'snippets', 'annotations', 'hasExtractedLicensingInfos'].map((list) => [
      list,
      '[]',
    ]),
    isReport: ({ spdxVersion }) => spdxVersion !== undefined,
  });
