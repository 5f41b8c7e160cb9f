import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';

export const KIT = fileURLToPath(new URL('../../ci', import.meta.url));
const read = (file: string): string => readFileSync(join(KIT, file), 'utf8');

/** A job of a CI system: on a branch, of a pull request (its number), or after an event. */
export type Job = { ref: string; request?: string; isFork?: boolean; commit?: string; event?: string; build?: string };
type Env = Record<string, string>;
export type CiSystem = { script: string; env: (job: Job, more: Env) => Env; repository: string };

// biome-ignore lint/suspicious/noExplicitAny: the files of CI systems have no types here
export const yamlOf = (file: string): any => parse(read(file));

const action = yamlOf('github/action.yml');

/** The composite action with its expressions filled in, as the runner does it. */
const github: CiSystem = {
  repository: 'https://github.example.com/acme/shop',
  script: action.runs.steps.at(-1).run,
  env({ ref, request, isFork, commit = 'abc', event, build = '1' }, inputs) {
    const head = { sha: commit, repo: { full_name: isFork ? 'stranger/shop' : 'acme/shop' } };
    const payload = {
      repository: { default_branch: 'main' },
      ...(request && { pull_request: { number: request, head } }),
      ...(event === 'delete' && { ref }),
      ...(event === 'merge_group' && { merge_group: { base_ref: 'refs/heads/main' } }),
    };
    const defaults = Object.entries(action.inputs).map(([name, one]) => [name, Object(one).default ?? '']);
    const known = { inputs: { ...Object.fromEntries(defaults), ...inputs }, github: { event: payload } };
    const filled = Object.entries<string>(action.runs.steps.at(-1).env).map(([name, text]) => [
      name,
      filledIn(text, known),
    ]);
    return {
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION_PATH: join(KIT, 'github'),
      GITHUB_SERVER_URL: 'https://github.example.com',
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_REF: request ? `refs/pull/${request}/merge` : `refs/heads/${event === 'delete' ? 'main' : ref}`,
      GITHUB_BASE_REF: request ? 'main' : '',
      GITHUB_SHA: commit,
      GITHUB_RUN_ID: build,
      GITHUB_EVENT_NAME: event ?? (request ? 'pull_request' : 'push'),
      ...Object.fromEntries(filled),
    };
  },
};

const filledIn = (text: string, known: object): string =>
  text.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_, path: string) =>
    String(path.split('.').reduce<unknown>((at, key) => Object(at)[key], known) ?? ''),
  );

const [, component] = parseAllDocuments(read('gitlab/templates/exposure.yml')).map((document) => document.toJS());
const [gitlabJob] = Object.values<{ script: string[]; variables: Env }>(component);

const gitlab: CiSystem = {
  repository: 'https://gitlab.example.com/acme/shop',
  script: gitlabJob?.script.join('\n') ?? '',
  env({ ref, request, isFork, commit = 'abc', build = '1' }, inputs) {
    const given: Env = { part: '', tools: '', 'fail-on': 'high', script: join(KIT, 'exposure.sh'), ...inputs };
    const variables = Object.entries(gitlabJob?.variables ?? {}).map(([name, text]) => [
      name,
      text.replace(/\$\[\[ inputs\.([\w-]+) \]\]/, (_, input: string) => given[input] ?? ''),
    ]);
    return {
      GITLAB_CI: 'true',
      CI_PROJECT_URL: 'https://gitlab.example.com/acme/shop',
      CI_DEFAULT_BRANCH: 'main',
      CI_COMMIT_SHA: commit,
      CI_COMMIT_REF_NAME: ref,
      CI_PIPELINE_ID: build,
      CI_PIPELINE_SOURCE: request ? 'merge_request_event' : 'push',
      ...(request && {
        CI_MERGE_REQUEST_IID: request,
        CI_MERGE_REQUEST_PROJECT_URL: 'https://gitlab.example.com/acme/shop',
        CI_MERGE_REQUEST_PROJECT_PATH: 'acme/shop',
        CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: isFork ? 'stranger/shop' : 'acme/shop',
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      }),
      ...Object.fromEntries(variables),
      ...(inputs.key !== undefined && { EXPOSURE_KEY: inputs.key }),
    };
  },
};

/** The values that the samples take from their own store of secrets. */
const given = ({ url = '', key = '', tools = '' }: Env): Env => ({
  EXPOSURE_URL: url,
  EXPOSURE_KEY: key,
  EXPOSURE_TOOLS: tools,
});

const azure: CiSystem = {
  repository: 'https://dev.azure.example.com/acme/_git/shop',
  script: yamlOf('samples/azure-pipelines.yml').steps.at(-1).script,
  env: ({ ref, request, isFork, commit = 'abc', build = '1' }, inputs) => ({
    TF_BUILD: 'True',
    BUILD_REPOSITORY_URI: 'https://dev.azure.example.com/acme/_git/shop',
    BUILD_SOURCEBRANCH: request ? `refs/pull/${request}/merge` : `refs/heads/${ref}`,
    BUILD_SOURCEVERSION: commit,
    BUILD_BUILDID: build,
    ...(request && {
      SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/main',
      SYSTEM_PULLREQUEST_ISFORK: isFork ? 'True' : 'False',
    }),
    ...given(inputs),
    ...(!inputs.key && { EXPOSURE_KEY: '$(exposureKey)' }),
  }),
};

const bitbucket: CiSystem = {
  repository: 'https://bitbucket.example.org/acme/shop',
  script: yamlOf('samples/bitbucket-pipelines.yml')
    .definitions.steps[0].step.script.filter((line: string) => line.includes('exposure.sh'))
    .join('\n'),
  env: ({ ref, request, commit = 'abc', build = '1' }, inputs) => ({
    BITBUCKET_GIT_HTTP_ORIGIN: 'https://bitbucket.example.org/acme/shop',
    BITBUCKET_BRANCH: ref,
    BITBUCKET_COMMIT: commit,
    BITBUCKET_BUILD_NUMBER: build,
    ...(request && { BITBUCKET_PR_ID: request, BITBUCKET_PR_DESTINATION_BRANCH: 'main' }),
    ...given(inputs),
  }),
};

const jenkins: CiSystem = {
  repository: 'https://git.example.com/acme/shop',
  script: /sh '(sh ci\/exposure[^']*)'/.exec(read('samples/Jenkinsfile'))?.[1] ?? '',
  env: ({ ref, request, isFork, commit = 'abc', build = '1' }, inputs) => ({
    JENKINS_URL: 'https://jenkins.example.com',
    GIT_URL: 'https://git.example.com/acme/shop.git',
    BRANCH_NAME: request ? `PR-${request}` : ref,
    GIT_COMMIT: commit,
    BUILD_TAG: `jenkins-shop-${ref}-${build}`,
    ...(request && { CHANGE_ID: request, CHANGE_TARGET: 'main', ...(isFork && { CHANGE_FORK: 'stranger' }) }),
    ...given(inputs),
  }),
};

const plain: CiSystem = {
  repository: 'https://git.example.com/acme/shop',
  script: 'sh ci/samples/plain.sh report.sarif',
  env: ({ ref, request, commit = 'abc', build = '1' }, inputs) => ({
    EXPOSURE_REPOSITORY: 'https://git.example.com/acme/shop',
    EXPOSURE_REF: request ? `pull/${request}` : ref,
    EXPOSURE_BASE: 'main',
    EXPOSURE_COMMIT: commit,
    EXPOSURE_BUILD: build,
    ...given(inputs),
  }),
};

export const SYSTEMS = { github, gitlab, azure, bitbucket, jenkins, plain };

/** Runs the commands of a job, as the runner of its system does. */
export function runJob(
  script: string,
  { cwd, env }: { cwd: string; env: Env },
): Promise<{ exit: number; output: string }> {
  return new Promise((resolve) => {
    const all = { PATH: process.env.PATH, HOME: cwd, ...env };
    const shell = execFile('sh', ['-e', '-c', script], { cwd, env: all }, (_error, out, err) =>
      resolve({ exit: shell.exitCode ?? -1, output: out + err }),
    );
  });
}
