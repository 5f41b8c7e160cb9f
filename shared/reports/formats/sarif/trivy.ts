import { checkIdentity, trivyLicense, trivySecret } from '../../readers/trivy.ts';
import { packageFields } from './package.ts';
import { partsOf, type Retold, type Said } from './said.ts';

/** Trivy's four kinds of problems, by the words with which their messages begin. */
export const trivyProblem = (said: Said): Retold => vulnerability(said) ?? check(said) ?? secret(said) ?? license(said);

const PACKAGE = [
  'Package: ',
  '\nInstalled Version: ',
  '\nVulnerability ',
  '\nSeverity: ',
  '\nFixed Version: ',
  '\nLink: ',
];

function vulnerability({ message, draft, run, rule }: Said): Retold {
  const [name, version = '', id, , fixed] = partsOf(message, PACKAGE) ?? partsOf(message, PACKAGE.slice(0, -1)) ?? [];
  if (!name || !id) return undefined;
  const path = draft.location.path ?? '';
  const isOfSystem = run.image ? isRepositoryOf(run.image, path) : rule?.name === 'OsPackageVulnerability';
  return packageFields(draft, { id, name, version, fixed, place: isOfSystem ? '' : path });
}

/** For a package of the operating system Trivy gives the repository of the image in place of a file. */
function isRepositoryOf(image: string, path: string): boolean {
  const repository = image.replace(/@sha256:.{0,64}$/, '').replace(/:[^:/]{1,128}$/, '');
  return [repository, `library/${repository}`].includes(path) || repository.endsWith(`/${path}`);
}

const CHECK = ['Artifact: ', '\nType: ', '\nVulnerability ', '\nSeverity: ', '\nMessage: ', '\nLink: '];

function check({ message, draft }: Said): Retold {
  const [, , id, , said] = partsOf(message, CHECK) ?? [];
  if (!id || said === undefined) return undefined;
  return { identity: checkIdentity({ id, place: draft.location.path ?? '', message: said }) };
}

const SECRET = ['Artifact: ', '\nType: ', '\nSecret ', '\nSeverity: ', '\nMatch: '];

function secret({ message, draft }: Said): Retold {
  const [, , title, , match] = partsOf(message, SECRET) ?? [];
  if (match === undefined) return undefined;
  const place = draft.location.path ?? '';
  return {
    ...trivySecret({ id: draft.ruleId, title, place, match }),
    location: { ...draft.location, snippet: match },
  };
}

const LICENSE = ['Artifact: ', '\nLicense ', '\nPkgName: ', '\n Classification: ', '\n Path: '];

/** The name of the package is read from the rule, since some versions of Trivy write it behind the wrong label. */
function license({ message, draft }: Said): Retold {
  const [, named, , , file] = partsOf(message, LICENSE) ?? [];
  if (!named || !draft.ruleId.endsWith(`:${named}`)) return undefined;
  const name = draft.ruleId.slice(0, -named.length - 1);
  if (!name && !file) return undefined;
  const { line: _first, ...location } = draft.location;
  return {
    ...trivyLicense({ license: named, name, file }),
    location: { ...location, ...(file && { path: file }) },
  };
}
