import { answerOf, type Schemas } from '../client.ts';
import type { Context } from '../context.ts';
import { type RuleFile, readRules } from './files.ts';

type Events = Schemas['DetectionTest']['events'];
/** A rule with what the service says of its text, and of events. */
export type Tried = RuleFile & Schemas['DetectionTestResult'];

/** Tries the rules of files and folders at the service, which changes nothing. */
export async function tryRules(context: Context, paths: readonly string[], events: Events = []): Promise<Tried[]> {
  const rules = await readRules(paths);
  const client = await context.client();
  const tried: Tried[] = [];
  for (const rule of rules) {
    context.progress(`${tried.length + 1} of ${rules.length}: ${rule.file}`);
    const body = { content: rule.content, events };
    tried.push({ ...rule, ...(await answerOf(client.POST('/api/v1/detection/rules/test', { body }))) });
  }
  context.progress('');
  return tried;
}

/** The mistakes in the texts of rules, one a line. */
export const mistakesOf = (tried: readonly Tried[]): string[] =>
  tried.flatMap(({ file, errors }) => errors.map(({ path, message }) => `${file}: ${path}: ${message}`));
