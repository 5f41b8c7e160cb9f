import { csvEntries } from '../../readers/csv-entries.ts';
import { type Entry, firstCharacter, readEntries } from '../../readers/entries.ts';
import type { Reading } from '../../readers/format.ts';
import { type JsonObject, textAt } from '../../readers/json.ts';
import { parseValue, splitJson } from '../../readers/json-stream.ts';
import { nestedEntries } from '../../readers/nested-entries.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { COLUMNS } from './columns.ts';
import { draftOf } from './draft.ts';

const UNUSABLE = 'it needs a title and a severity (critical, high, medium, low or info)';

/** The documented format for tools without a format of their own: JSON with a list `findings`, or CSV (docs/generic-report.md). */
export async function* read(open: OpenReport, how: Reading): AsyncGenerator<ReportEvent> {
  const draft = (entry: JsonObject) => draftOf(entry, how);
  if ((await firstCharacter(open)) !== '{') {
    yield { kind: 'tool', name: 'generic' };
    yield* readEntries(csvRows(open), draft, UNUSABLE);
    return;
  }
  yield { kind: 'tool', ...(await toolOf(open)) };
  yield* readEntries(nestedEntries(open, { entries: [['findings', '[]']] }), draft, UNUSABLE);
}

async function toolOf(open: OpenReport): Promise<{ name: string; version?: string }> {
  const root: JsonObject = {};
  for await (const value of splitJson(
    open(),
    (path) => path.length === 0 || (path.length === 1 && path[0] === 'findings'),
  ))
    if (value.path.length === 1 && !value.opens) Object.assign(root, { [String(value.path[0])]: parseValue(value) });
  const name = textAt(root, 'tool') ?? textAt(root, 'tool', 'name') ?? textAt(root, 'type') ?? 'generic';
  return { name, version: textAt(root, 'version') ?? textAt(root, 'tool', 'version') };
}

/** Columns in any letter case, by the names of the JSON's fields. */
async function* csvRows(open: OpenReport): AsyncGenerator<Entry> {
  for await (const { value, ...entry } of csvEntries(open, { columns: ['title', 'severity'] })) {
    if (!value) yield entry;
    else
      yield {
        ...entry,
        value: Object.fromEntries(
          Object.entries(value).map(([name, cell]) => [COLUMNS.get(name.toLowerCase()) ?? name, cell]),
        ),
      };
  }
}
