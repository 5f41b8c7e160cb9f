import { open, rm } from 'node:fs/promises';
import { Option } from 'commander';
import { answerOf, type Schemas } from '../client.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, type Exit, usage } from '../errors.ts';
import { numberFrom } from '../numbers.ts';
import { tablePages } from '../table.ts';
import { counted } from '../texts.ts';

type LinkToken = Schemas['LinkToken'];

const KINDS = ['scanner', 'apex', 'agent', 'collector', 'integrator'] as const satisfies readonly LinkToken['kind'][];

/** `exposure link-token create|list|revoke` */
export const define: Define = (command, act) => {
  command
    .command('create')
    .description('create a token that links machines; only this answer shows it')
    .addOption(new Option('--kind <kind>', 'the machines that it links').choices(KINDS).makeOptionMandatory())
    .option('--name <name>', 'a name for people')
    .option('--max-uses <count>', 'the most machines (default: 1)', numberFrom(1, 10_000))
    .option('--expires <time>', 'days such as 7d, hours such as 12h, or a time (default: 1d)')
    .option('--zone <zone>', 'the zone of the machines')
    .option('--group <id>', 'the group that they join')
    .option('--out <file>', 'write the token to a new file that only you can read, instead of printing it')
    .action(act(create));
  command
    .command('list')
    .description('list link tokens, newest first')
    .option('--all', 'all, not the newest 50')
    .action(act(list));
  command
    .command('revoke')
    .description('revoke link tokens; linked machines stay linked')
    .argument('<ids...>')
    .action(act(revoke));
};

type CreateOptions = {
  kind: LinkToken['kind'];
  name?: string;
  maxUses?: number;
  expires?: string;
  zone?: string;
  group?: string;
  out?: string;
};

const HOUR_MS = 3_600_000;

/** The end of a token. @throws Failure for a text that is neither an age nor a time */
function endOf(text: string): string {
  const [, count, unit] = /^(\d{1,4})([dh])$/.exec(text) ?? [];
  const end = new Date(count ? Date.now() + Number(count) * (unit === 'd' ? 24 : 1) * HOUR_MS : text);
  if (Number.isNaN(end.getTime()))
    throw usage(`--expires ${text} is no time.`, 'Write 7d, 12h or 2026-12-31T00:00:00Z.');
  return end.toISOString();
}

/** Prints the token alone, so that a script can pass it on; the rest goes to the messages. */
async function create(context: Context, { out, expires, ...fields }: CreateOptions): Promise<Exit> {
  const body = { ...fields, ...(expires !== undefined && { expiresAt: endOf(expires) }) };
  const client = await context.client();
  const file = out === undefined ? undefined : await newFile(out);
  try {
    const made = await answerOf(client.POST('/api/v1/organization/link-tokens', { body }));
    if (file) await file.writeFile(`${made.linkToken}\n`);
    else context.print(context.options.json ? JSON.stringify(made) : made.linkToken);
    const end = made.expiresAt.slice(0, 16).replace('T', ' ');
    context.note(`Links ${counted(made.maxUses, 'machine')} of the kind ${made.kind} until ${end} UTC.`, 'done');
    context.note(`Its id: ${made.id}`, 'aside');
  } catch (error) {
    if (out !== undefined) await rm(out);
    throw error;
  } finally {
    await file?.close();
  }
  return EXIT.passed;
}

/** A file for a secret, opened before the secret exists: a token that cannot be written would be lost. */
const newFile = (path: string) =>
  open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw usage(`${path} cannot be made: ${error.code}.`, 'Name a file that does not exist yet.');
  });

const COLUMNS = { columns: ['kind', 'name', 'status', 'uses', 'maxUses', 'expiresAt', 'id'], wide: ['name'] };

async function list(context: Context, { all = false }: { all?: boolean }): Promise<Exit> {
  const query = { paginateSize: all ? 500 : 50 };
  const client = await context.client();
  const { data } = await answerOf(client.GET('/api/v1/organization/link-tokens', { params: { query } }));
  if (context.options.json) context.print(JSON.stringify(data));
  else await context.write(tablePages(context, COLUMNS)(data));
  return EXIT.passed;
}

async function revoke(context: Context, ids: string[]): Promise<Exit> {
  const client = await context.client();
  for (const id of ids) {
    await answerOf(client.DELETE('/api/v1/organization/link-tokens/{id}', { params: { path: { id } } }));
    context.note(`revoked ${id}`);
  }
  return EXIT.passed;
}
