/* Parts of Snyk's reports that are the same in its JSON and its SARIF. */

/** In SARIF Snyk names these in place of their lock files. */
const MANIFESTS = new Map([
  ['Gemfile.lock', 'Gemfile'],
  ['package-lock.json', 'package.json'],
  ['yarn.lock', 'package.json'],
  ['Gopkg.lock', 'Gopkg.toml'],
  ['go.sum', 'go.mod'],
  ['composer.lock', 'composer.json'],
  ['Podfile.lock', 'Podfile'],
  ['poetry.lock', 'pyproject.toml'],
]);

/** The file that a project declares its packages in, by its lock file or itself. */
export function manifestOf(path: string): string {
  const at = path.lastIndexOf('/') + 1;
  return path.slice(0, at) + (MANIFESTS.get(path.slice(at)) ?? path.slice(at));
}

/** Without the setting's place inside the file, which only the JSON has. */
export const settingIdentity = (ruleId: string, path: string): string[] => [ruleId, path];
