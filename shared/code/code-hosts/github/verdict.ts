import { askHost, type HostAddress } from '#shared/platform/outgoing/ask.ts';
import { path } from '#shared/platform/outgoing/path.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import { listAt, numberAt, textAt } from '#shared/reports/readers/json.ts';
import type { Severity } from '#shared/reports/report/report.ts';
import type { HostAccess } from '../../integrations/secret.ts';
import { VERDICT_NAME, type Verdict } from '../code-host.ts';
import { keepComment } from '../comment.ts';
import { loginOf } from './access.ts';

/** `repository`: its encoded name. */
type Place = { host: HostAddress; repository: string; access: HostAccess };

type Repository = Pick<Place, 'host' | 'repository'>;

/** Shows a verdict as a commit status, as a check where an app asks (only apps may make checks), and as a comment. */
export async function tellGithub(place: Place, verdict: Verdict): Promise<void> {
  await setStatus(place, verdict);
  if ('app' in place.access) await setCheck(place, verdict);
  if (verdict.pullRequest !== null && verdict.state !== 'pending')
    await setComment(place, verdict, verdict.pullRequest);
}

const STATES = { pending: 'pending', passed: 'success', failed: 'failure', cancelled: 'error' } as const;

/** https://docs.github.com/rest/commits/statuses#create-a-commit-status */
async function setStatus({ host, repository }: Repository, { commit, state, title, link }: Verdict): Promise<void> {
  const body = { state: STATES[state], target_url: link, description: shortened(title, 139), context: VERDICT_NAME };
  await askHost(host, {
    method: 'POST',
    path: `repos/${repository}/${path`statuses/${commit}`}`,
    body,
    brings: 'code_host.status',
  });
}

/** One request takes this many annotations; a repeated request would add further ones again. */
const MAX_ANNOTATIONS = 50;

const LEVELS: Record<Severity, string> = {
  critical: 'failure',
  high: 'failure',
  medium: 'warning',
  low: 'notice',
  info: 'notice',
};

/** https://docs.github.com/rest/checks/runs */
async function setCheck({ host, repository }: Repository, verdict: Verdict): Promise<void> {
  const { commit, state, title, summary, link } = verdict;
  const conclusion =
    state === 'pending' ? undefined : { passed: 'success', failed: 'failure', cancelled: 'cancelled' }[state];
  const annotations = verdict.annotations.slice(0, MAX_ANNOTATIONS).map(({ path, line, severity, ...said }) => ({
    path,
    start_line: line,
    end_line: line,
    annotation_level: LEVELS[severity],
    title: shortened(said.title, 254),
    message: said.message,
  }));
  const check = {
    name: VERDICT_NAME,
    head_sha: commit,
    details_url: link,
    ...(conclusion ? { status: 'completed', conclusion } : { status: 'in_progress' }),
    output: { title: shortened(title, 254), summary, annotations },
  };
  const brings = 'code_host.check';
  const runs = `repos/${repository}/check-runs`;
  const current = await checkOf({ host, repository }, verdict);
  // earlier attempts of this task made or completed it, although their answers were lost
  if (current) await host.record?.found(brings, `"external_id":${JSON.stringify(verdict.id)}`);
  if (current?.isCompleted) await host.record?.found(brings, '"status":"completed"');
  if (current?.isCompleted && !verdict.renews) return;
  if (current?.isCompleted) check.output.annotations = [];
  if (current) await askHost(host, { method: 'PATCH', path: `${runs}/${current.id}`, body: check, brings });
  else await askHost(host, { method: 'POST', path: runs, body: { ...check, external_id: verdict.id }, brings });
}

/** The existing check of this scan. */
async function checkOf({ host, repository }: Repository, { id, commit }: Verdict) {
  const query = new URLSearchParams({ check_name: VERDICT_NAME, per_page: '100' });
  const { body } = await askHost(host, { path: `repos/${repository}/${path`commits/${commit}`}/check-runs?${query}` });
  const current = listAt(body, 'check_runs').find((one) => textAt(one, 'external_id') === id);
  const number = numberAt(current, 'id');
  return number === undefined ? undefined : { id: number, isCompleted: textAt(current, 'status') === 'completed' };
}

/** https://docs.github.com/rest/issues/comments */
function setComment({ host, repository, access }: Place, verdict: Verdict, number: number): Promise<void> {
  const issues = `repos/${repository}/issues`;
  return keepComment(host, verdict, {
    list: `${issues}/${number}/comments`,
    change: 'PATCH',
    one: (id) => `${issues}/comments/${id}`,
    author: { of: (comment) => textAt(comment, 'user', 'login'), own: () => loginOf(host, access) },
  });
}
