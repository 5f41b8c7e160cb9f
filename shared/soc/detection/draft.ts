import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { readSigma } from '../sigma/read.ts';
import { referencesOf } from './references.ts';
import { fieldsOfText } from './rule-fields.ts';
import { readyRulesWith } from './ruleset.ts';

/** A text that is not stored, ready to be tried with the stored rules that it counts. @throws SigmaError */
export async function readyDraft(table: Table, content: string) {
  const text = await readSigma(content);
  const counts = await referencesOf(table, text, { enabled: false });
  const draft = { ...fieldsOfText(text), id: newId(), version: 1, content, counts };
  return { draft, rules: await readyRulesWith(table, draft) };
}
