import { previewOf } from '#shared/findings/bulk/preview.ts';
import { ExposedCredential } from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import { credentialRecord } from '#shared/vulnerabilities/exposed-credentials/record.ts';

const Sample = ExposedCredential.pick({ id: true, kind: true, masked: true, status: true });

export const Preview = previewOf(Sample).meta({ id: 'ExposedCredentialsPreview' });

export function sampleOf(row: Parameters<typeof credentialRecord>[0]) {
  const { id, kind, masked, status } = credentialRecord(row);
  return { id, kind, masked, status };
}
