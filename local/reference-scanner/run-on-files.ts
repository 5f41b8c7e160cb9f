import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type * as z from 'zod';
import { hostOf } from '#shared/assets/targets/targets.ts';
import type { Service } from '../reference-machine/service.ts';
import { type NewTasks, TaskSecrets } from './answers.ts';
import { checkOut } from './checkout.ts';
import type { Login } from './git.ts';
import { startProxy } from './proxy.ts';
import { pagesOf, type Reach, type Resolver, reachOf } from './reach.ts';
import { failed, runTool, type ToolRun } from './run-tool.ts';
import type { Tool } from './tools.ts';

type Task = z.infer<typeof NewTasks>['tasks'][number];
type Work = { task: Task; service: Service; resolve: Resolver; directory: string; reportFile: (n: number) => string };

/** Fetches the files of a repository, runs each tool of the task on them, and removes them. There is one report for each tool. */
export async function runOnFiles(tools: readonly Tool[], work: Work, stop: AbortSignal): Promise<ToolRun> {
  const { task, directory, reportFile } = work;
  const checkout = join(directory, 'files');
  try {
    const problem = await fetched(work, checkout, stop);
    if (problem) return problem;
    const { parameters, target } = task;
    for (const [n, tool] of tools.entries()) {
      const run = { target: target.value, exclusions: pagesOf(task), parameters, checkout, reportFile: reportFile(n) };
      const ended = await runTool(tool, run, stop);
      if (ended.outcome !== 'completed') return ended;
    }
    return { outcome: 'completed' };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The failure of the checkout, if it failed. Git connects through a proxy that keeps it where the task may go. */
async function fetched(work: Work, directory: string, stop: AbortSignal): Promise<ToolRun | undefined> {
  const { task, resolve } = work;
  const { value: url } = task.target;
  let reach: Reach;
  try {
    reach = await reachOf(task, resolve);
    await reach(hostOf({ type: 'repository', value: url }) ?? '');
  } catch (error) {
    return failed('out_of_reach', messageOf(error));
  }
  const proxy = await startProxy(reach);
  let login: Login | undefined;
  try {
    login = await loginFor(work, stop);
    await checkOut({ url, parameters: task.parameters, directory, login, proxy: proxy.url }, stop);
    return undefined;
  } catch (error) {
    const advice = login ? '' : WITHOUT_LOGIN;
    return stop.aborted ? { outcome: 'cancelled' } : failed('not_fetched', `${advice}${messageOf(error)}`);
  } finally {
    await proxy.stop();
  }
}

const WITHOUT_LOGIN =
  'No login came with the task: for a private repository connect GitHub by an app or GitLab by a token, or bind a credential of ' +
  'the kind code_host to it. ';

/** Code hosts take a token as the password of any user; GitHub documents this name for tokens of its apps. */
const ANY_USER = 'x-access-token';

/** The login that the service hands out once for the task. It is only in memory. */
async function loginFor({ service, task: { secretsUrl } }: Work, stop: AbortSignal): Promise<Login | undefined> {
  if (secretsUrl === undefined) return undefined;
  const { credentials } = TaskSecrets.parse(await service.get(secretsUrl, stop));
  const [first] = credentials.filter(({ kind }) => kind === 'code_host');
  const token = first?.secret.token ?? first?.secret.password;
  return token === undefined ? undefined : { username: first?.username ?? ANY_USER, token };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
