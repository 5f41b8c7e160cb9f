import { askHost, type HostAddress } from '../outgoing/ask.ts';
import { numberAt, textAt } from '../reports/json.ts';
import type { Verdict } from './code-host.ts';

/** Not shown; the comment of this service is found by it. */
const MARK = '<!-- exposure-management-scan -->';

/** The comments of a pull request are read until ours is found, this many pages at most. */
const MOST_PAGES = 10;

type Comments = { list: string; change: 'PATCH' | 'PUT'; one: (id: number) => string };

/** Keeps one comment at a pull request true, also when an answer of the host was lost. */
export async function keepComment(host: HostAddress, verdict: Verdict, { list, change, one }: Comments): Promise<void> {
  const { title, summary, hasNew } = verdict;
  const standing = await findComment(host, `${list}?per_page=100`);
  if (standing === undefined && !hasNew) return;
  const body = { body: `${MARK}\n### ${title}\n\n${summary}` };
  await askHost(
    host,
    standing === undefined ? { method: 'POST', path: list, body } : { method: change, path: one(standing), body },
  );
}

async function findComment(host: HostAddress, first: string): Promise<number | undefined> {
  let path: string | undefined = first;
  for (let page = 0; path !== undefined && page < MOST_PAGES; page++) {
    const { body, next } = await askHost(host, { path });
    const ours = (Array.isArray(body) ? body : []).find((comment) => textAt(comment, 'body')?.startsWith(MARK));
    if (ours) return numberAt(ours, 'id');
    path = next;
  }
  return undefined;
}
