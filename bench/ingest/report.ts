import { gzipSync } from 'node:zlib';

/**
 * A gzipped SARIF report as a code scanner writes it, with about 1.5 KB per finding.
 * @param files per finding. Reports of Snyk Code, Bandit and Flawfinder with 39 to 214 findings name 0.3 (0.09 to
 * 0.64).
 *   In real reports at most one file name of 15 begins with the same two letters; here one of 24.
 */
export function benchReport(findings: number, files = 0.3, prefix = ''): Buffer {
  const results = Array.from({ length: findings }, (_, n) => ({
    ruleId: rules[n % rules.length]?.id,
    message: { text: `Request data reaches the query of component ${n % 97} unchecked. ${explanation}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: `src/module-${n % 211}/${prefix}${fileName(Math.floor(n * files))}` },
          region: { startLine: 1 + (n % 900), snippet: { text: `const rows = query(input[${n}]);\n`.repeat(5) } },
        },
      },
    ],
    partialFingerprints: { primaryLocationLineHash: `${prefix}${n}` },
  }));
  const run = {
    tool: { driver: { name: 'bench-scan', rules } },
    invocations: [{ executionSuccessful: true }],
    results,
  };
  return gzipSync(JSON.stringify({ version: '2.1.0', runs: [run] }), { level: 1 });
}

const stems = `account basket cache driver export filter gateway handler import journal kernel ledger
  mailer notice order payment query report session token upload vendor worker zone`.split(/\s+/);
const fileName = (n: number): string => `${stems[n % stems.length]}-${n}.ts`;

const explanation = 'What a visitor sends becomes part of a statement that the database runs. '.repeat(4);
const levels = ['error', 'warning', 'note'];
const rules = Array.from({ length: 60 }, (_, n) => ({
  id: `javascript.security.injection-${n}`,
  shortDescription: { text: `Injection through parameter ${n}` },
  help: { text: 'Use bound parameters and never build statements from text. '.repeat(5) },
  defaultConfiguration: { level: levels[n % levels.length] },
  properties: { tags: [`CWE-${79 + n}`, 'security'] },
}));
