import { exposedServices } from '#shared/reports/formats/nmap/exposed-services.ts';

/** `docs/exposed-services.md`: how open ports are rated. */
export const exposureDocument = (): string => `# How open ports are rated

Made by \`npm run docs\` from \`shared/reports/formats/nmap/exposed-services.ts\`. Nmap gives an open port no severity. The rating comes
from the service of the port, from the product, from the number where Nmap did not identify the service, or from the output of a script;
of several ratings the first in this table counts. Any other open port is \`info\`. The title of the finding names the exposure, its
description the reason, its \`remediation\` a remedy. A severity that a person set stays.

| severity | exposure | signs | reason |
|---|---|---|---|
${exposedServices.map(rowOf).join('\n')}
`;

function rowOf({
  severity,
  exposure,
  reason,
  services,
  products,
  ports,
  scripts,
}: (typeof exposedServices)[number]): string {
  const signs = [
    services && `service ${services}`,
    products && `product ${products}`,
    ports && `port ${ports}`,
    scripts && `script ${scripts}`,
  ];
  return `| ${severity} | ${exposure} | ${signs.filter(Boolean).join('; ')} | ${reason} |`;
}
