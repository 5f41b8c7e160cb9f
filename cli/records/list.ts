import { type Command, Option } from 'commander';
import type { Client } from '../client.ts';
import type { Act } from '../command.ts';
import type { Context } from '../context.ts';
import { numberFrom } from '../numbers.ts';
import { csvPages } from '../output/csv.ts';
import type { Reported } from '../output/reported.ts';
import { type OutputOptions, wantsOutputs, withOutputs, withoutCommands, writeOutputs } from '../output/write.ts';
import { separated } from '../several.ts';
import { tablePages } from '../table.ts';
import type { Asked, Kind, Page } from './kind.ts';
import { showRecord } from './show.ts';

type Options = OutputOptions & {
  filter?: string;
  search?: string;
  sort?: string;
  columns?: string[];
  limit: number;
  all?: boolean;
  csv?: boolean;
};

/** Gives a command `list`, `count` and `show`. */
export function recordCommands(command: Command, act: Act, kind: Kind): void {
  const list = withFilter(command.command('list').description(`list ${kind.plural}, newest first`), kind)
    .option('--columns <fields>', 'the fields to show, separated by commas, such as id,title,asset.name', separated)
    .option('--limit <number>', 'how many', numberFrom(1, 100_000), 50)
    .option('--all', 'all of them')
    .option('--csv', 'print CSV')
    .action(act((context, options: Options) => listRecords(context, kind, options)));
  if (kind.hasFiles) withOutputs(list);
  if (kind.orders) list.addOption(new Option('--sort <order>', 'the order').choices(kind.orders));
  const { count } = kind;
  if (count)
    withFilter(command.command('count').description(`count ${kind.plural}`), kind).action(
      act(async (context, { filter }: Options) => {
        const number = await count(await context.client(), filter);
        context.print(context.options.json ? JSON.stringify({ count: number }) : String(number));
        return undefined;
      }),
    );
  command
    .command('show <id>')
    .description(`show one of the ${kind.plural}`)
    .action(act((context, id: string) => showRecord(context, kind, id)));
}

const withFilter = (command: Command, { isSearched, isListed }: Kind): Command => {
  if (isListed) return command;
  return isSearched
    ? command.option('--search <words>', 'the first words of the title')
    : command.option('--filter <filter>', `such as "severity:critical,high status:open -tool:trivy" (docs/filters.md)`);
};

async function listRecords(context: Context, kind: Kind, options: Options): Promise<undefined> {
  const { search, filter = search, sort, all, limit } = options;
  const shown = pagesFor(context, kind, options);
  const most = all ? Number.POSITIVE_INFINITY : limit;
  const findings: Reported[] = [];
  let [count, total] = [0, 0];
  await withoutCommands(context, options, async () => {
    for await (const { data, reported, totalCount = 0 } of pagesOf(kind, await context.client(), {
      filter,
      sort,
      most,
    })) {
      if (data.length > 0) await context.write(shown.page(data));
      if (reported && wantsOutputs(options)) findings.push(...reported);
      count += data.length;
      total = totalCount;
      if (data.length < most) context.progress(`${count.toLocaleString('en')} ${kind.plural}`);
    }
    await context.write(shown.end());
  });
  context.progress('');
  if (wantsOutputs(options)) await writeOutputs(context, options, { findings });
  const end = endOf(kind, count, total);
  if (end !== '' && context.width !== undefined && !context.options.json && !options.csv) context.note(end, 'aside');
  return undefined;
}

/** The form in which a list is printed. */
function pagesFor(context: Context, kind: Kind, { columns, csv }: Options) {
  if (context.options.json) return jsonPages();
  const end = () => '';
  if (csv) return { page: csvPages(columns), end };
  const wide = columns ? columns.filter((column) => column !== 'id') : kind.wide;
  return { page: tablePages(context, { columns: columns ?? kind.columns, wide }), end };
}

function endOf({ plural }: Kind, count: number, total: number): string {
  if (count === 0) return `No ${plural} fit.`;
  return count < total
    ? `${count.toLocaleString('en')} of ${total.toLocaleString('en')} ${plural}; --all lists all, --limit more.`
    : '';
}

const MAX_PAGE_SIZE = 500;

/** The pages of a list. A record that is new meanwhile moves the others on: one that comes again is left out. */
async function* pagesOf(
  kind: Kind,
  client: Client,
  asked: Omit<Asked, 'size'> & { most: number },
): AsyncGenerator<Page> {
  const seen = new Set<unknown>();
  let from: Page['next'];
  do {
    const size = Math.min(asked.most - seen.size, kind.maxPageSize ?? MAX_PAGE_SIZE);
    const page = await kind.page(client, { ...asked, size }, from);
    const isFresh = (record: object) => !seen.has(Reflect.get(record, 'id'));
    const { data, reported } = page;
    const fresh = { data: data.filter(isFresh), ...(reported && { reported: reported.filter(isFresh) }) };
    for (const record of data) seen.add(Reflect.get(record, 'id'));
    yield { ...page, ...fresh };
    from = page.next;
  } while (from !== undefined && seen.size < asked.most);
}

/** Records as one list in JSON, page by page. */
function jsonPages() {
  let isFirst = true;
  return {
    page(records: readonly object[]): string {
      const text = records.map((record) => JSON.stringify(record)).join(',\n');
      const begin = isFirst ? '[\n' : ',\n';
      isFirst = false;
      return begin + text;
    },
    end: () => (isFirst ? '[]\n' : '\n]\n'),
  };
}
