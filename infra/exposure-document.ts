import { exposedServices } from '#shared/reports/formats/nmap/exposed-services.ts';

/** `docs/exposed-services.md`: how open ports are rated. */
export const exposureDocument = (): string => `# How open ports are rated

Made by \`npm run docs\` from \`shared/reports/formats/nmap/exposed-services.ts\`. Nmap gives an open port no severity. It is rated by
the service that listens there, by the product, by the number where Nmap did not ask the service, or by the output of a script;
of several ratings the first in this table counts. Another open port is \`info\`. The title of the finding names the exposure, its
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
