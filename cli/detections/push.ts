import { answerOf, type Client, type Schemas } from '../client.ts';
import { usage } from '../errors.ts';
import type { Tried } from './try.ts';

type Item = Schemas['DetectionRuleListItem'];
type Pushed = { file: string; title: string; done: 'created' | 'changed' | 'unchanged' };
type Push = { client: Client; isDry: boolean; enabled: boolean; progress: (text: string) => void };

const PAGE = 500;

/** The own rules of the organization by the `id` of their texts. */
async function rulesBySigmaId(client: Client): Promise<Map<string, Item>> {
  const rules: Item[] = [];
  for (let total = 1; rules.length < total; ) {
    const query = { origin: 'custom' as const, paginateFrom: rules.length, paginateSize: PAGE };
    const page = await answerOf(client.GET('/api/v1/detection/rules', { params: { query } }));
    rules.push(...page.data);
    total = page.data.length === 0 ? 0 : page.totalCount;
  }
  return new Map(rules.flatMap((rule) => (rule.sigmaId === null ? [] : [[rule.sigmaId, rule] as const])));
}

/**
 * Creates rules that the organization does not have, and changes those with another text. The `id` of a text recognizes
 * its rule, so that a second push makes no second rule.
 * @throws Failure before any change for a rule without an id, or an id in two files
 */
export async function pushRules(push: Push, tried: readonly Tried[]): Promise<Pushed[]> {
  const files = new Map<string, string>();
  for (const { file, rule } of tried) {
    const id = rule?.sigmaId;
    if (!id)
      throw usage(
        `${file} has no id.`,
        'Give the rule an id, such as a UUID: it recognizes the rule at the next push.',
      );
    const other = files.get(id);
    if (other !== undefined) throw usage(`${file} and ${other} have the same id.`, 'Give each rule an id of its own.');
    files.set(id, file);
  }
  const known = await rulesBySigmaId(push.client);
  const pushed: Pushed[] = [];
  for (const one of tried) {
    push.progress(`${pushed.length + 1} of ${tried.length}: ${one.file}`);
    pushed.push(await pushRule(push, one, known.get(one.rule?.sigmaId ?? '')));
  }
  push.progress('');
  return pushed;
}

async function pushRule(
  { client, isDry, enabled }: Push,
  { file, content, rule }: Tried,
  known: Item | undefined,
): Promise<Pushed> {
  const title = rule?.title ?? '';
  if (!known) {
    if (!isDry) await answerOf(client.POST('/api/v1/detection/rules', { body: { content, enabled } }));
    return { file, title, done: 'created' };
  }
  const params = { path: { id: known.id } };
  const current = await answerOf(client.GET('/api/v1/detection/rules/{id}', { params }));
  if (current.content === content) return { file, title, done: 'unchanged' };
  if (!isDry) await answerOf(client.PATCH('/api/v1/detection/rules/{id}', { params, body: { content } }));
  return { file, title, done: 'changed' };
}
