import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { answerOf, type Client, type Schemas } from '../client.ts';
import type { Context } from '../context.ts';
import { EXIT, Failure, usage } from '../errors.ts';
import { upload } from '../import/upload.ts';
import { finishedTask } from '../tasks.ts';
import type { RuleFile } from './files.ts';
import type { Tried } from './try.ts';

type Item = Schemas['DetectionRuleListItem'];
type Planned = { file: string; title: string; done: 'created' | 'changed' | 'unchanged' };
/** The outcome of a pack. The service names the first hundred refused rules. */
type Outcome = {
  created: number;
  updated: number;
  unchanged: number;
  refused: { file: string; message: string }[];
  refusedCount: number;
};

const PAGE = 500;

/** Sends the rules as one pack, and waits until the service has worked it. */
export async function pushRules(
  context: Context,
  rules: readonly RuleFile[],
  { enabled, until }: { enabled: boolean; until: number },
): Promise<Outcome> {
  const client = await context.client();
  const directory = await mkdtemp(join(tmpdir(), 'exposure-'));
  try {
    const uploadId = await uploadPack(context, client, { rules, file: join(directory, 'rules.zip') });
    const body = { uploadId, enabled };
    const { taskId: id } = await answerOf(
      client.POST('/api/v1/detection/rules/packs', { params: { query: { waitSeconds: 1 } }, body }),
    );
    const { status, error, result } = await finishedTask(context, client, { id, name: 'The pack', until });
    context.progress('');
    if (status !== 'succeeded') throw new Failure(EXIT.incomplete, error?.message ?? `The pack is ${status}.`);
    const outcome = result as Outcome;
    return { ...outcome, refused: outcome.refused.map((one) => withFiles(one, rules)) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** An archive has no paths such as `../rules`, so its files have numbers. */
const nameOf = (_: RuleFile, n: number): string => `rule-${n}.yml`;

function withFiles({ file, message }: Outcome['refused'][number], rules: readonly RuleFile[]) {
  const named = (text: string) =>
    text.replaceAll(/\brule-(\d+)\.yml/g, (name, n: string) => rules[Number(n)]?.file ?? name);
  return { file: named(file), message: named(message) };
}

/** The same rules are the same archive, whenever they are packed. */
const ONE_DAY = new Date(2000, 0, 1);

type PackFile = { rules: readonly RuleFile[]; file: string };

async function uploadPack(context: Context, client: Client, { rules, file }: PackFile): Promise<string> {
  const files = Object.fromEntries(rules.map((rule, n) => [nameOf(rule, n), strToU8(rule.content)]));
  const archive = zipSync(files, { mtime: ONE_DAY });
  await writeFile(file, archive, { mode: 0o600 });
  const sha256 = createHash('sha256').update(archive).digest('hex');
  const packed = { name: `${rules.length} rules`, file, sizeBytes: archive.length, sha256 };
  // a pack that comes again changes nothing, so that a killed command may start again
  return upload({ context, client, packed }, { keep: async () => undefined });
}

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

/** @throws Failure for a rule without an id, or an id in two files: the id of a text recognizes its rule */
export function assertIds(tried: readonly Tried[]): void {
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
}

/** The effects that a push of these rules would have. */
export async function plannedOf(context: Context, tried: readonly Tried[]): Promise<Planned[]> {
  const client = await context.client();
  const known = await rulesBySigmaId(client);
  const planned: Planned[] = [];
  for (const { file, content, rule } of tried) {
    context.progress(`${planned.length + 1} of ${tried.length}: ${file}`);
    const { id } = known.get(rule?.sigmaId ?? '') ?? {};
    const current = id && (await answerOf(client.GET('/api/v1/detection/rules/{id}', { params: { path: { id } } })));
    const done = !current ? 'created' : current.content === content ? 'unchanged' : 'changed';
    planned.push({ file, title: rule?.title ?? '', done });
  }
  context.progress('');
  return planned;
}
