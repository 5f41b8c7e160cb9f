import { defineFormat } from '../../readers/format.ts';

export const sonarqube = defineFormat({
  id: 'sonarqube',
  label: 'SonarQube issues or hotspots (JSON of its API), or the JSON or HTML of sonar-report',
  begins: '{<',
  recognise: (head) =>
    head.startsWith('<')
      ? /<title>SonarQube [^<>\n]{1,60} Report</.test(head)
      : head.startsWith('{') && SIGNS.some((signs) => signs.every((sign) => sign.test(head))),
  read: () => import('./read.ts'),
});

const SIGNS = [
  [/"issues"\s*:\s*\[/, /"(?:effortTotal|debtTotal|paging|sonarBaseURL)"\s*:/],
  [/"hotspots"\s*:\s*\[/, /"(?:paging|securityCategory)"\s*:/],
  [/"sonarBaseURL"\s*:/, /"rules"\s*:\s*\{/],
];
