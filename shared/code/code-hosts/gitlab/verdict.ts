import { askHost, type HostAddress } from '#shared/platform/outgoing/ask.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { path } from '#shared/platform/outgoing/path.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import { numberAt } from '#shared/reports/readers/json.ts';
import { orUnexpected, VERDICT_NAME, type Verdict } from '../code-host.ts';
import { keepComment } from '../comment.ts';

type Place = { host: HostAddress; externalId: string };

/** Shows a verdict as a commit status, and as a note at the merge request. */
export async function tellGitlab({ host, externalId }: Place, verdict: Verdict): Promise<void> {
  const project = path`projects/${externalId}`;
  await setStatus(host, project, verdict);
  if (verdict.pullRequest === null || verdict.state === 'pending') return;
  const list = `${project}/merge_requests/${verdict.pullRequest}/notes`;
  await keepComment(host, verdict, {
    list,
    change: 'PUT',
    one: (id) => `${list}/${id}`,
    author: {
      of: (note) => idText(note, 'author'),
      own: async () => orUnexpected(idText((await askHost(host, { path: 'user' })).body)),
    },
  });
}

const idText = (value: unknown, ...steps: string[]): string | undefined => numberAt(value, ...steps, 'id')?.toString();

const STATES = { pending: 'running', passed: 'success', failed: 'failed', cancelled: 'canceled' } as const;

/** https://docs.gitlab.com/api/commits/#set-commit-pipeline-status, which refuses the current state. */
async function setStatus(
  host: HostAddress,
  project: string,
  { commit, ref, state, title, link }: Verdict,
): Promise<void> {
  const body = { state: STATES[state], ref, name: VERDICT_NAME, target_url: link, description: shortened(title, 139) };
  const brings = 'code_host.status';
  const at = `${project}/${path`statuses/${commit}`}`;
  await askHost(host, { method: 'POST', path: at, body, brings }).catch(async (error) => {
    const stands = error instanceof HostError && error.message.includes('Cannot transition status');
    if (!stands) throw error;
    await host.record?.found(brings, JSON.stringify(body));
  });
}
