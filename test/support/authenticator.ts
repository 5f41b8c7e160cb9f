import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/* A passkey in software: it signs as a device does, and writes the few forms of CBOR (RFC 8949) that WebAuthn has. */

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

function head(major: number, n: number): Buffer {
  if (n < 24) return Buffer.from([(major << 5) | n]);
  return n < 256 ? Buffer.from([(major << 5) | 24, n]) : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flat().map((part: Cbor) => cbor(part))]);
  return Buffer.concat([head(2, value.length), value]);
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** A change of a test in a signature: the device did not verify the person, another site, an older counter. */
type Twist = { verified?: boolean; origin?: string; counter?: number };
type Offer = { challenge: string; rp: { id?: string }; user: { id: string } };

const PRESENT = 1;
const VERIFIED = 4;
const ATTESTED = 64;

export class Authenticator {
  readonly id = randomBytes(16);
  readonly #key: KeyObject;
  readonly #public: Cbor;
  readonly #origin: string;
  #userHandle = '';
  #counter = 0;

  constructor(baseUrl: string) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const { x = '', y = '' } = privateKey.export({ format: 'jwk' });
    this.#public = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    this.#origin = baseUrl.replace('127.0.0.1', 'localhost');
  }

  /** The answer of `navigator.credentials.create()`, without attestation. */
  create({ challenge, user }: Offer, twist: Twist = {}) {
    this.#userHandle = user.id;
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, cbor(this.#public)]);
    const authData = this.#data(twist, attested);
    const attestationObject = cbor(
      new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    ).toString('base64url');
    const clientDataJSON = this.#clientData('webauthn.create', challenge, twist).toString('base64url');
    return { ...this.#about(), response: { clientDataJSON, attestationObject, transports: ['internal'] } };
  }

  /** The answer of `navigator.credentials.get()`. */
  get({ challenge }: { challenge: string }, twist: Twist = {}) {
    this.#counter += 1;
    const client = this.#clientData('webauthn.get', challenge, twist);
    const data = this.#data(twist);
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.#key).toString('base64url');
    const [clientDataJSON, authenticatorData] = [client.toString('base64url'), data.toString('base64url')];
    return {
      ...this.#about(),
      response: { clientDataJSON, authenticatorData, signature, userHandle: this.#userHandle },
    };
  }

  #about() {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };
  }

  #clientData = (type: string, challenge: string, { origin = this.#origin }: Twist): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  #data({ verified = true, counter = this.#counter }: Twist, attested?: Buffer): Buffer {
    const flags = PRESENT | (verified ? VERIFIED : 0) | (attested ? ATTESTED : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const rpId = sha256(new URL(this.#origin).hostname);
    return Buffer.concat([rpId, Buffer.from([flags]), count, ...(attested ? [attested] : [])]);
  }
}
