import { askHost, type HostAddress } from '../../outgoing/ask.ts';
import { listAt, numberAt, textAt } from '../../reports/json.ts';
import type { Severity } from '../../reports/report.ts';
import { shortened } from '../../runtime/texts.ts';
import { VERDICT_NAME, type Verdict } from '../code-host.ts';
import { keepComment } from '../comment.ts';

type Place = { host: HostAddress; repository: string };

/** Shows a verdict as a commit status, as a check where an app asks (only apps may make checks), and as a comment. */
export async function tellGithub(place: Place, verdict: Verdict, { isApp }: { isApp: boolean }): Promise<void> {
  await setStatus(place, verdict);
  if (isApp) await setCheck(place, verdict);
  if (verdict.pullRequest !== null && verdict.state !== 'pending')
    await setComment(place, verdict, verdict.pullRequest);
}

const STATES = { pending: 'pending', passed: 'success', failed: 'failure', cancelled: 'error' } as const;

/** https://docs.github.com/rest/commits/statuses#create-a-commit-status */
async function setStatus({ host, repository }: Place, { commit, state, title, link }: Verdict): Promise<void> {
  const body = { state: STATES[state], target_url: link, description: shortened(title, 139), context: VERDICT_NAME };
  await askHost(host, { method: 'POST', path: `repos/${repository}/statuses/${commit}`, body });
}

/** One request takes as many annotations; further ones would be added, also when it is repeated. */
const MOST_ANNOTATIONS = 50;

const LEVELS: Record<Severity, string> = {
  critical: 'failure',
  high: 'failure',
  medium: 'warning',
  low: 'notice',
  info: 'notice',
};

/** https://docs.github.com/rest/checks/runs */
async function setCheck({ host, repository }: Place, verdict: Verdict): Promise<void> {
  const { commit, state, title, summary, link } = verdict;
  const conclusion =
    state === 'pending' ? undefined : { passed: 'success', failed: 'failure', cancelled: 'cancelled' }[state];
  const annotations = verdict.annotations.slice(0, MOST_ANNOTATIONS).map(({ path, line, severity, ...said }) => ({
    ...{ path, start_line: line, end_line: line, annotation_level: LEVELS[severity] },
    ...{ title: shortened(said.title, 254), message: said.message },
  }));
  const check = {
    ...{ name: VERDICT_NAME, head_sha: commit, details_url: link },
    ...(conclusion ? { status: 'completed', conclusion } : { status: 'in_progress' }),
    output: { title: shortened(title, 254), summary, annotations },
  };
  const path = `repos/${repository}/check-runs`;
  const standing = await checkOf({ host, repository }, verdict);
  if (standing?.isCompleted) return;
  if (standing) await askHost(host, { method: 'PATCH', path: `${path}/${standing.id}`, body: check });
  else await askHost(host, { method: 'POST', path, body: { ...check, external_id: verdict.id } });
}

/** The check of this scan, if it stands. */
async function checkOf({ host, repository }: Place, { id, commit }: Verdict) {
  const query = new URLSearchParams({ check_name: VERDICT_NAME, per_page: '100' });
  const { body } = await askHost(host, { path: `repos/${repository}/commits/${commit}/check-runs?${query}` });
  const standing = listAt(body, 'check_runs').find((one) => textAt(one, 'external_id') === id);
  const number = numberAt(standing, 'id');
  return number === undefined ? undefined : { id: number, isCompleted: textAt(standing, 'status') === 'completed' };
}

/** https://docs.github.com/rest/issues/comments */
function setComment({ host, repository }: Place, verdict: Verdict, number: number): Promise<void> {
  const path = `repos/${repository}/issues`;
  const list = `${path}/${number}/comments`;
  return keepComment(host, verdict, { list, change: 'PATCH', one: (id) => `${path}/comments/${id}` });
}
