import { askHost, type HostAddress } from '#shared/platform/outgoing/ask.ts';
import { entriesOf, pagesOf } from '#shared/platform/outgoing/pages.ts';
import { listAt, numberAt, textAt } from '#shared/reports/readers/json.ts';
import type { Verdict } from './code-host.ts';

/** An invisible mark that finds the comments which may be this service's. */
const MARK = '<!-- exposure-management-scan -->';

/** The comments of a pull request are read until ours is found, this many pages at most. */
const MAX_PAGES = 10;

type Comments = {
  list: string;
  change: 'PATCH' | 'PUT';
  one: (id: number) => string;
  /** How to read the author of a comment, and the author name of this service there. Anybody can write the mark. */
  author: { of: (comment: unknown) => string | undefined; own: () => Promise<string> };
};

/** Keeps one comment at a pull request true, also when an answer of the host was lost. */
export async function keepComment(host: HostAddress, verdict: Verdict, comments: Comments): Promise<void> {
  const { list, change, one } = comments;
  const { title, summary, hasNew } = verdict;
  const current = await findComment(host, comments);
  if (current === undefined && !hasNew) return;
  const body = { body: `${MARK}\n### ${title}\n\n${summary}` };
  const said = { body, brings: 'code_host.comment' };
  if (current?.text === body.body) return host.record?.found(said.brings, JSON.stringify(body));
  await askHost(
    host,
    current === undefined
      ? { ...said, method: 'POST', path: list }
      : { ...said, method: change, path: one(current.id) },
  );
}

async function findComment(
  host: HostAddress,
  { list, author }: Comments,
): Promise<{ id: number; text: string } | undefined> {
  const ask = (next: string | undefined) => askHost(host, { path: next ?? `${list}?per_page=100` });
  for await (const { body } of pagesOf(ask, { most: MAX_PAGES })) {
    const marked = entriesOf(listAt(body)).filter((comment) => textAt(comment, 'body')?.startsWith(MARK));
    if (marked.length === 0) continue;
    const own = await author.own();
    const ours = marked.find((comment) => author.of(comment) === own);
    const id = numberAt(ours, 'id');
    if (id !== undefined) return { id, text: textAt(ours, 'body') ?? '' };
  }
  return undefined;
}
