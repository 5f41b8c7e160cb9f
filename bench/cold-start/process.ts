import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';

export type Start = { milliseconds: number; statusCode: number };

/** Replaces Lambda's runtime: loads the bundle, calls its handler, passes the answer on. */
const runtime = `
  const { handler } = require(process.argv[1]);
  handler(JSON.parse(process.argv[2]), { awsRequestId: 'bench', functionName: 'bench', getRemainingTimeInMillis: () => 10000 })
    .then(({ statusCode }) => process.stdout.write('\\u0000' + statusCode, () => process.exit()));
`;

/** Starts a process for one request and measures the time to its answer. */
export function coldStart(bundle: string, event: object): Promise<Start> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, ['--input-type=commonjs', '-e', runtime, bundle, JSON.stringify(event)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // a function that Lambda starts finds the files of its package, and nothing compiled
      env: { ...process.env, REFERENCE_DIR: join(dirname(bundle), 'reference'), NODE_DISABLE_COMPILE_CACHE: '1' },
    });
    let output = '';
    let milliseconds: number | undefined;
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('\u0000')) milliseconds ??= performance.now() - started;
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', reject);
    child.on('close', () => {
      const statusCode = Number(output.split('\u0000')[1]);
      if (milliseconds && statusCode) resolve({ milliseconds, statusCode });
      else reject(new Error(`${bundle} did not answer:\n${output}`));
    });
  });
}
