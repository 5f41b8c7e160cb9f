import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startCli } from '../support/cli.ts';

const cli = startCli();
const run = promisify(execFile);

test.skipIf(process.platform !== 'linux')('the executable runs on a machine without Node', async () => {
  const built = await run(process.execPath, ['infra/build-cli.ts', '--executable']);
  const [, name = ''] = /cli\/dist\/(exposure-linux-\w+): \d+ MB/.exec(built.stdout) ?? [];
  const program = join(dirname(cli.bundle), name);
  const alone = { env: { HOME: cli.home, PATH: '' } };
  const { stdout } = await run(program, ['--version'], alone);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  await expect(run(program, ['whoami'], alone)).rejects.toMatchObject({ code: 3 });
  const other = run(process.execPath, [
    'infra/build-cli.ts',
    '--node',
    join(import.meta.dirname, 'executable.test.ts'),
  ]);
  await expect(other).rejects.toMatchObject({ stderr: expect.stringContaining('is no Node') });
});
