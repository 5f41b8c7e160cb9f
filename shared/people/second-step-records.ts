import * as z from 'zod';
import { objectNamed } from '#shared/platform/http/records.ts';

/** The secret that an authenticator app keeps (RFC 6238). */
export const TotpOffer = objectNamed('TotpOffer', {
  secret: z.string().meta({ description: 'base32, to type it in; shown once' }),
  uri: z.string().meta({ description: '`otpauth://`, for a QR code' }),
});
