import { X509Certificate } from 'node:crypto';
import * as z from 'zod';
import { trimmedText } from '#shared/platform/http/records.ts';

const MIN_RSA_BITS = 2048;

const Certificate = z
  .string()
  .max(8000)
  .refine(isStrong, 'must be a certificate in PEM with an RSA key of at least 2048 bits')
  .meta({ description: 'in PEM, with an RSA key' });

function isStrong(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = new X509Certificate(pem).publicKey;
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS;
  } catch {
    return false;
  }
}

export const SamlSettings = z.object({
  entityId: trimmedText(1000).meta({ description: 'the entity id of the provider, which issues the assertions' }),
  signInUrl: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://login.example.com/saml' })
    .max(2000)
    .meta({ description: 'where the provider signs people in: SingleSignOnService with the binding HTTP-Redirect' }),
  certificates: z.array(Certificate).min(1).max(5).meta({
    description:
      'that sign assertions: the present one, and the next one before the provider changes. Not after they expire',
  }),
});
export type SamlSettings = z.infer<typeof SamlSettings>;
