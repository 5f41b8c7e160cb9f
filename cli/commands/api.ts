import { pagesOf } from '../api/pages.ts';
import { type ApiOptions, METHODS, requestOf } from '../api/request.ts';
import { refusalOf } from '../client.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { usage } from '../errors.ts';
import { each } from '../several.ts';

const EXAMPLES = `
Examples:
  exposure api GET findings -f filter='severity:critical kev:true' --all
  exposure api PATCH findings/$ID -f status=false_positive -f reason='a test'
  exposure api POST findings/export -f format=csv -f filter.filter=severity:high
  exposure api POST tasks/$ID/cancel`;

/** `exposure api METHOD PATH` */
export const define: Define = (command, act) => {
  command
    .argument('<method>', METHODS.join(', '))
    .argument('<path>', 'such as /api/v1/findings; findings is short for it')
    .option(
      '-f, --field <name=value>',
      'a parameter of GET and DELETE, otherwise a field of the body; name:=JSON for other values than texts',
      each,
    )
    .option('--input <file>', 'the body; - is standard input')
    .option('--content-type <type>', 'the type of --input (default: application/json)')
    .option('-H, --header <header>', 'a header, such as "If-Match: 3"', each)
    .option('--all', 'read all pages of a list, as one JSON list')
    .addHelpText('after', EXAMPLES)
    .action(
      act(async (context, method: string, path: string, options: ApiOptions) => {
        const request = await requestOf((await context.access()).url, { method, path }, options);
        if (options.all) return printAll(context, request);
        const response = await context.send(request);
        await printAnswer(context, response);
        return undefined;
      }),
    );
};

/** JSON is indented for people; other answers stay as they are. @throws Refused */
async function printAnswer(context: Context, response: Response): Promise<void> {
  const text = await response.text();
  if (!response.ok) throw refusalOf(response.status, text);
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  context.print(isJson && context.width !== undefined ? JSON.stringify(JSON.parse(text), null, 2) : text);
}

/** The records of every page, one a line, so that a list of any length needs little memory. */
async function printAll(context: Context, { method, url, headers }: Request): Promise<undefined> {
  if (method !== 'GET') throw usage(`--all reads lists, and ${method} reads none.`, 'Use GET.');
  const read = async (page: URL) => {
    const response = await context.send(new Request(page, { headers }));
    const text = await response.text();
    if (!response.ok) throw refusalOf(response.status, text);
    return JSON.parse(text);
  };
  let count = 0;
  for await (const records of pagesOf(new URL(url), read)) {
    for (const record of records) {
      context.print(`${count === 0 ? '[' : ','}${JSON.stringify(record)}`);
      count += 1;
    }
    context.progress(`${count} records`);
  }
  context.print(count === 0 ? '[]' : ']');
  return undefined;
}
