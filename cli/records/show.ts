import type { Context } from '../context.ts';
import { facts } from '../table.ts';
import { shownText } from '../texts.ts';
import type { Kind } from './kind.ts';
import { cellOf, valueAt } from './values.ts';

/** Long texts come after the facts, as they are. */
const TEXTS = ['description', 'remediation', 'evidence'];

/** Shows one record: people see what matters, `--json` has all. */
export async function showRecord(context: Context, kind: Kind, id: string): Promise<undefined> {
  const record = await kind.show(await context.client(), id);
  if (context.options.json) {
    context.print(JSON.stringify(record));
    return undefined;
  }
  const shown = kind.facts.flatMap((path) => {
    const text = cellOf(valueAt(record, path));
    return text === '' ? [] : [[labelOf(path), text] as const];
  });
  context.print(facts(context, Object.fromEntries(shown)));
  for (const path of TEXTS) {
    const text = valueAt(record, path);
    if (typeof text === 'string' && text !== '') context.print(`\n${context.colours.dim(path)}\n${shownText(text)}`);
  }
  return undefined;
}

/** `whyOpen.message` is `why open`, `asset.name` is `asset`, `acceptance.approver.name` is `acceptance approver`. */
const labelOf = (path: string): string =>
  path
    .replace(/\.(?:name|message)$/, '')
    .replaceAll('.', ' ')
    .replaceAll(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);
