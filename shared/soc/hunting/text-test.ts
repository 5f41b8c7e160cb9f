import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { readyDraft } from '../detection/draft.ts';
import { SigmaError } from '../sigma/refusal.ts';
import { type Hunt, huntOf } from './rule-test.ts';

/** The test for events that the text of a rule matches, which need not be stored. @throws validation_failed for a text with a mistake */
export async function huntForText(table: Table, content: string | undefined): Promise<Hunt | undefined> {
  if (content === undefined) return undefined;
  try {
    const { draft, rules } = await readyDraft(table, content);
    return huntOf(rules, { ruleId: draft.id, named: 'content' });
  } catch (error) {
    if (error instanceof SigmaError) throw invalid('content', error.message);
    throw error;
  }
}
