import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

export const snyk = defineFormat({
  id: 'snyk',
  label: 'Snyk JSON (snyk test, container test, iac test --json)',
  begins: '{[',
  recognise: (head) =>
    hasShape(head, ...OF_SNYK) || (hasShape(head, 'vulnerabilities', '[].vulnerabilities') && isClean(head)),
  inSarif:
    'SARIF names no image, so send that of a container with the image as `target`; of a package it has the first version alone.',
  read: () => import('./read.ts'),
});

/** Members of an issue that no other tool has. */
const OF_SNYK = ['', '[].'].flatMap((project) => [
  `${project}infrastructureAsCodeIssues`,
  ...['semver', 'upgradePath', 'isUpgradable', 'alternativeIds', 'severityWithCritical'].flatMap((member) => [
    `${project}vulnerabilities.[].${member}`,
    `${project}applications.[].vulnerabilities.[].${member}`,
  ]),
]);

const isClean = (head: string): boolean =>
  hasShape(head, 'dependencyCount', '[].dependencyCount') && hasShape(head, 'ok', '[].ok', 'org', '[].org');
