import { eachAtOnce } from '../../shared/platform/runtime/chunks.ts';
import { answerOf, type Client, Refused, type Schemas } from '../client.ts';
import type { Context } from '../context.ts';
import { type RuleFile, readRules } from './files.ts';

type Events = Schemas['DetectionTest']['events'];
/** A rule with what the service says of its text, and of events. */
export type Tried = RuleFile & Schemas['DetectionTestResult'];

/** Of a pack of thousands, one after the other would take minutes. */
const AT_ONCE = 8;

/** Tries the rules of files and folders at the service, which changes nothing. */
export async function tryRules(context: Context, paths: readonly string[], events: Events = []): Promise<Tried[]> {
  const rules = await readRules(paths);
  const client = await context.client();
  let begun = 0;
  const tried = await eachAtOnce(rules, AT_ONCE, async ({ file, content }) => {
    begun += 1;
    context.progress(`${begun} of ${rules.length}: ${file}`);
    return { file, content, ...(await answerTo(client, { content, events })) };
  });
  context.progress('');
  return tried;
}

const CONTENT = 'content: ';

/** A text that is refused before it is read, such as an empty one, is a mistake of its file like others. */
async function answerTo(client: Client, body: { content: string; events: Events }) {
  try {
    return await answerOf(client.POST('/api/v1/detection/rules/test', { body }));
  } catch (error) {
    if (!(error instanceof Refused) || !error.message.startsWith(CONTENT)) throw error;
    const mistake = { path: 'content', message: error.message.slice(CONTENT.length) };
    return { rule: null, errors: [mistake], events: [], alerts: [] };
  }
}

/** Whether a text only lacks rules that it counts, which another file may have. */
export const isWaiting = ({ errors }: Tried): boolean =>
  errors.length > 0 && errors.every(({ path }) => path === 'correlation.rules');

/** The mistakes in the texts of rules, one a line. */
export const mistakesOf = (tried: readonly Tried[]): string[] =>
  tried.flatMap(({ file, errors }) => errors.map(({ path, message }) => `${file}: ${path}: ${message}`));
