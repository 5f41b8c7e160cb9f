import type { FindingDraft } from '../../readers/finding.ts';
import { fieldAt, listAt, textAt } from '../../readers/json.ts';
import { packageProblem } from '../../readers/package-problem.ts';
import { purlOf } from '../../readers/purl.ts';
import { placeOf } from './place.ts';
import type { Retold, Said } from './said.ts';

const MESSAGE =
  /^Your code (calls|imports|depends on) (?:vulnerable functions in )?\d{1,6} (?:vulnerable )?(package|module)s? \(([^)]{1,20000})\)/;

/** The words of its JSON for how close the vulnerable code is. */
const REACHES = new Map([
  ['calls', 'called'],
  ['imports', 'imported'],
  ['depends on', 'required'],
]);

/**
 * govulncheck has a result for a vulnerability, and a finding for each of its modules in JSON. The stacks of calls name
 * modules and versions; without a call the message names modules, or only packages.
 */
export function govulncheckModules({ run, result, message, draft, rule }: Said): Retold[] {
  const [, verb = '', kind, list = ''] = MESSAGE.exec(message) ?? [];
  const named = list.split(/,? and |, /).map((name) => (kind === 'module' ? name : moduleOf(name)));
  const called = calledModules(result);
  const modules = called.size > 0 ? called : new Map(named.map((name) => [name, undefined]));
  if (!verb) return [];
  const { path, line } = placeOf(run, fieldAt(result, 'stacks', 0, 'frames', 0, 'location'));
  return [...modules].map(([name, version]) => {
    const problem = moduleProblem({ draft, rule }, { name, version });
    return {
      ...problem,
      description: rule?.help,
      remediation: undefined,
      location: { path, line },
      tags: [REACHES.get(verb) ?? verb, ...problem.tags],
    };
  });
}

function moduleProblem({ draft, rule }: Pick<Said, 'draft' | 'rule'>, { name, version }: Module) {
  return packageProblem({
    id: draft.ruleId,
    aliases: rule?.tags,
    summary: rule?.full,
    component: { name, version, purl: purlOf('golang', { name, version }), fixedVersions: [] },
    place: '',
  }) satisfies Partial<FindingDraft>;
}

type Module = { name: string; version: string | undefined };

/** `golang.org/x/net@v0.1.0` of the last frame of each stack, which is the vulnerable function. */
function calledModules(result: unknown): Map<string, string | undefined> {
  const last = listAt(result, 'stacks').flatMap((stack) => textAt(listAt(stack, 'frames').at(-1), 'module') ?? []);
  return new Map(
    last.map((module) => {
      const at = module.lastIndexOf('@');
      return at > 0 ? [module.slice(0, at), module.slice(at + 1) || undefined] : [module, undefined];
    }),
  );
}

/** Hosts whose modules have an owner and a name; of other hosts the first part behind the host is the module. */
const WITH_OWNER = /^(?:github\.com|gitlab\.com|bitbucket\.org|gitee\.com|codeberg\.org|golang\.org)$/;

/** The module of a package, by the path of the package: SARIF names no module of a package that is only imported. */
function moduleOf(path: string): string {
  const [host = '', ...parts] = path.split('/');
  if (!host.includes('.')) return host === 'cmd' ? 'toolchain' : 'stdlib';
  const names = WITH_OWNER.test(host) || (host === 'gopkg.in' && !/\.v\d+$/.test(parts[0] ?? '')) ? 2 : 1;
  const major = /^v\d+$/.test(parts[names] ?? '') ? 1 : 0;
  return [host, ...parts.slice(0, names + major)].join('/');
}
