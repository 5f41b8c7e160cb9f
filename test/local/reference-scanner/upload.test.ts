import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openTable } from '#shared/platform/table/table.ts';
import { findUpload, readUpload } from '#shared/platform/uploads/upload.ts';
import { startSystem } from '../../support/system.ts';

const system = startSystem();
const uploader = fileURLToPath(new URL('upload-report.ts', import.meta.url));

test('a scanner on a small machine sends a report of 300 MB without holding it in memory', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'report-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'large.report');
  const handle = openSync(file, 'w');
  const hash = createHash('sha256');
  for (let n = 0; n < 300; n++) {
    const piece = Buffer.alloc(1_000_000, `${n};`);
    writeSync(handle, piece);
    hash.update(piece);
  }
  const organization = await system.newOrganization();
  const { id, clientId, clientSecret } = await organization.scanner();
  const args = [uploader, system.baseUrl, clientId, clientSecret, file];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { uploadId, residentMb } = JSON.parse(stdout);
  // About 80 MB is the process itself; garbage of the copying comes and goes.
  expect(residentMb).toBeLessThan(300);
  const table = openTable(system.connections.dynamo, organization.organizationId, {
    kind: 'machine',
    id,
    name: 'scanner',
  });
  const upload = await findUpload(system.connections.bucket, table, { id: uploadId, taskId: crypto.randomUUID() });
  const stored = createHash('sha256');
  for await (const chunk of readUpload(system.connections.bucket, upload)) stored.update(chunk);
  expect(stored.digest('hex')).toBe(hash.digest('hex'));
});
