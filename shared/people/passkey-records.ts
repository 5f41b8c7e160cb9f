import * as z from 'zod';
import { objectNamed, Timestamp, trimmedText } from '#shared/platform/http/records.ts';

const bytes = z
  .string()
  .max(8_192)
  .regex(/^[\w-]+$/, 'must be base64url')
  .meta({ example: 'AAAA' });

/** `PublicKeyCredential.toJSON()` of a browser; other members are ignored. */
const credential = {
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
  clientExtensionResults: z.looseObject({}).default({}),
};

/** The answer of `navigator.credentials.create()`. */
export const Attestation = objectNamed('PasskeyAttestation', {
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
});
export type Attestation = z.infer<typeof Attestation>;

/** The answer of `navigator.credentials.get()`. */
export const Assertion = objectNamed('PasskeyAssertion', {
  ...credential,
  response: z.object({ clientDataJSON: bytes, authenticatorData: bytes, signature: bytes, userHandle: bytes }),
});
export type Assertion = z.infer<typeof Assertion>;

const known = z.array(z.object({ id: z.string(), type: z.string(), transports: z.array(z.string()).optional() }));

/** For `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const PasskeyOffer = objectNamed('PasskeyOffer', {
  challenge: z.string(),
  rp: z.object({ id: z.string().optional(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int().optional(),
  excludeCredentials: known.optional(),
  authenticatorSelection: z
    .object({ residentKey: z.string(), userVerification: z.string(), requireResidentKey: z.boolean() })
    .partial()
    .optional(),
  attestation: z.string().optional(),
  extensions: z.object({ credProps: z.boolean().optional() }).optional(),
  hints: z.array(z.string()).optional(),
});

/** For `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const PasskeyRequest = objectNamed('PasskeyRequest', {
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
});

export const PasskeyName = trimmedText(60).meta({ example: 'Work laptop' });

export const PasskeyRecord = objectNamed('Passkey', {
  id: z.string().meta({ description: 'base64url, made by the authenticator' }),
  name: PasskeyName,
  device: z.string().meta({ description: 'the program with which it was added, as it names itself' }),
  synced: z.boolean().meta({ description: 'a password manager copies it to other devices of the person' }),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
});

/** A code of the app, a recovery code, or a passkey. */
export const SecondProof = {
  code: z.string().min(6).max(20).optional().meta({
    description: 'of the authenticator app, or a recovery code',
    example: '123456',
  }),
  passkey: Assertion.optional().meta({ description: 'instead of `code`' }),
};
/** The same for people who may have no second step yet. */
export const OwnProof = {
  ...SecondProof,
  code: SecondProof.code.meta({
    description: 'of the authenticator app, a recovery code, or of the letter where you have no second step',
  }),
};
export type SecondProof = { code?: string | undefined; passkey?: Assertion | undefined };
