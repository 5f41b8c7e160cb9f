import { readReport } from '#shared/reports/formats/read.ts';

/** Run in a child process with a small heap: reads a generated SARIF of the size given in MB and prints what it saw. */
const targetBytes = Number(process.argv[2]) * 1024 * 1024;
const rules = Array.from({ length: 300 }, (_, index) => ({
  id: `rule-${index}`,
  help: { text: 'Do it better. '.repeat(80) },
}));

let written = 0;
async function* report(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"version":"2.1.0","runs":[{"artifacts":[{"location":{"uri":"a"}}],"results":[');
  written = 0;
  for (let batch = 0; written < targetBytes; batch += 1) {
    const results = Array.from({ length: 100 }, (_, index) => JSON.stringify(result(batch * 100 + index)));
    const bytes = Buffer.from((batch === 0 ? '' : ',') + results.join());
    written += bytes.length;
    yield bytes;
  }
  yield Buffer.from(`],"tool":{"driver":{"name":"demo","rules":${JSON.stringify(rules)}}}}]}`);
}

function result(number: number) {
  const region = { startLine: (number % 500) + 1, snippet: { text: `call(${number})` } };
  const artifactLocation = { uri: `src/module-${number % 97}/file-${number % 1013}.c` };
  const message = { text: `Value ${number} is used unchecked. ${'It flows on through the program. '.repeat(20)}` };
  return { ruleId: `rule-${number % 300}`, message, locations: [{ physicalLocation: { artifactLocation, region } }] };
}

let findings = 0;
let withHelp = 0;
for await (const event of readReport('auto', report)) {
  if (event.kind !== 'finding') continue;
  findings += 1;
  if (event.finding.remediation) withHelp += 1;
}
const residentMb = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ findings, withHelp, megabytes: Math.round(written / 1024 / 1024), residentMb }));
