import { invalid } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { fieldsOfText } from '../detection/rule-fields.ts';
import { readyRule } from '../detection/ruleset.ts';
import { readSigma } from '../sigma/read.ts';
import { SigmaError } from '../sigma/refusal.ts';
import { type Hunt, huntOf } from './rule-test.ts';

/** The test for events that the text of a rule matches, which need not be stored. @throws validation_failed for a text with a mistake */
export async function huntForText(content: string | undefined): Promise<Hunt | undefined> {
  if (content === undefined) return undefined;
  try {
    const text = await readSigma(content);
    const rule = await readyRule({ ...fieldsOfText(text), id: newId(), version: 1, text });
    return huntOf(rule, { named: 'content' });
  } catch (error) {
    if (error instanceof SigmaError) throw invalid('content', error.message);
    throw error;
  }
}
