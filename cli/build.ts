import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { usage } from './errors.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The options by which a report or a gate names its build. */
export type BuildOptions = { repository?: string; ref?: string; commit?: string; base?: string; buildId?: string };

/** A build of CI, as the service names its fields. */
export type Build = {
  repository?: string | undefined;
  ref?: string | undefined;
  commit?: string | undefined;
  baseRef?: string | undefined;
  buildId?: string | undefined;
};

/** The build that the options name, completed from the variables of the CI system, or from git on a person's machine. */
export async function buildOf(env: Env, { repository, ref, commit, base, buildId }: BuildOptions): Promise<Build> {
  const given = { repository, ref, commit, baseRef: base, buildId };
  const known = ofSystem(env) ?? (await ofGit());
  // a build of another repository has another branch and commit
  const own = repository !== undefined && known.repository !== undefined && repository !== known.repository;
  return filled(given, own ? { buildId: known.buildId } : known);
}

function filled(given: Build, known: Build): Build {
  const all = Object.entries({ ...known, ...withoutGaps(given) }).filter(([, value]) => value);
  return Object.fromEntries(all);
}

const withoutGaps = (build: Build): Build =>
  Object.fromEntries(Object.entries(build).filter(([, value]) => value !== undefined));

/** The build in the variables of a CI system; undefined outside of one. */
function ofSystem(env: Env): Build | undefined {
  if (env.GITHUB_ACTIONS) return ofGitHub(env);
  if (env.GITLAB_CI) return ofGitLab(env);
  if (env.TF_BUILD) return ofAzure(env);
  if (env.BITBUCKET_BUILD_NUMBER) return ofBitbucket(env);
  return env.JENKINS_URL ? ofJenkins(env) : undefined;
}

/**
 * A job that runs again has the same run id: reports of the jobs that need not run again still count. A pull request is its
 * number on every system, because the branch of a fork may be called main.
 */
function ofGitHub(env: Env): Build {
  const { pull_request: request, merge_group: queue, repository } = eventOf(env);
  return {
    repository: `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}`,
    ref: request?.number === undefined ? env.GITHUB_REF : `pull/${request.number}`,
    commit: request?.head?.sha ?? env.GITHUB_SHA,
    baseRef: queue?.base_ref ?? (env.GITHUB_BASE_REF || repository?.default_branch),
    buildId: env.GITHUB_RUN_ID,
  };
}

type GitHubEvent = {
  pull_request?: { number?: number; head?: { sha?: string } };
  merge_group?: { base_ref?: string };
  repository?: { default_branch?: string };
};

function eventOf({ GITHUB_EVENT_PATH: path }: Env): GitHubEvent {
  if (!path) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}

const ofGitLab = (env: Env): Build => ({
  repository: env.CI_MERGE_REQUEST_PROJECT_URL || env.CI_PROJECT_URL,
  ref: env.CI_MERGE_REQUEST_IID ? `merge-requests/${env.CI_MERGE_REQUEST_IID}` : env.CI_COMMIT_REF_NAME,
  commit: env.CI_COMMIT_SHA,
  baseRef: env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME || env.CI_DEFAULT_BRANCH,
  buildId: env.CI_PIPELINE_ID,
});

const ofAzure = (env: Env): Build => ({
  repository: env.BUILD_REPOSITORY_URI,
  ref: env.BUILD_SOURCEBRANCH,
  commit: env.SYSTEM_PULLREQUEST_SOURCECOMMITID || env.BUILD_SOURCEVERSION,
  baseRef: env.SYSTEM_PULLREQUEST_TARGETBRANCH,
  buildId: env.BUILD_BUILDID,
});

const ofBitbucket = (env: Env): Build => ({
  repository: env.BITBUCKET_GIT_HTTP_ORIGIN,
  ref: env.BITBUCKET_PR_ID ? `pull-requests/${env.BITBUCKET_PR_ID}` : env.BITBUCKET_BRANCH,
  commit: env.BITBUCKET_COMMIT,
  baseRef: env.BITBUCKET_PR_DESTINATION_BRANCH,
  buildId: env.BITBUCKET_BUILD_NUMBER,
});

const ofJenkins = (env: Env): Build => ({
  repository: env.GIT_URL,
  ref: env.CHANGE_ID ? `pull/${env.CHANGE_ID}` : env.BRANCH_NAME || env.GIT_BRANCH?.replace(/^origin\//, ''),
  commit: env.GIT_COMMIT,
  baseRef: env.CHANGE_TARGET,
  buildId: env.BUILD_TAG,
});

/** On a person's machine the commit is the build: a report that comes again replaces the former one. */
async function ofGit(): Promise<Build> {
  const [remote, ref, commit, head] = await Promise.all([
    git('remote', 'get-url', 'origin'),
    git('branch', '--show-current'),
    git('rev-parse', 'HEAD'),
    git('rev-parse', '--abbrev-ref', 'origin/HEAD'),
  ]);
  const repository = remote && addressOfRemote(remote);
  return { repository, ref, commit, baseRef: head?.replace(/^origin\//, ''), buildId: repository && commit };
}

async function git(...words: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', words);
    return stdout.trim() || undefined;
  } catch {
    return undefined; // no git, or no repository
  }
}

/** `git@github.com:acme/shop.git` is the repository of `https://github.com/acme/shop`. A password in the address stays here. */
function addressOfRemote(remote: string): string | undefined {
  const [, host, path] = /^(?:ssh:\/\/)?[\w.-]+@([\w.-]+)[:/](.+)$/.exec(remote) ?? [];
  const url = URL.parse(host ? `https://${host}/${path}` : remote);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined; // a folder of this machine
  return `${url.origin}${url.pathname.replace(/\.git$/, '')}`;
}
export type NamedBuild = { repository: string; ref: string; buildId: string };

/** The build of a gate. @throws usage for one that nothing names */
export function namedBuild({ repository, ref, buildId }: Build): NamedBuild {
  const missing = Object.entries({ '--repository': repository, '--ref': ref, '--build-id': buildId }).filter(
    ([, value]) => !value,
  );
  if (!repository || !ref || !buildId)
    throw usage(
      `The build is not known: ${missing.map(([name]) => name).join(', ')} missing.`,
      'Add them, or call the command within a CI job or a clone of the repository.',
    );
  return { repository, ref, buildId };
}
