import { readFile, rename, writeFile } from 'node:fs/promises';
import { elapsedMs } from './clock.ts';
import type { Settings } from './env.ts';

/** Secrets by name, from Secrets Manager or, on a developer's machine, from a JSON file of name -> text. */
export type Secrets = {
  get(name: string): Promise<string>;
  /** For an operator's scripts, the local system, and the one function that replaces the signing key. */
  put(name: string, value: string): Promise<void>;
};

const KEEP_MS = 5 * 60_000;

export function openSecrets({ SECRETS_FILE }: Settings): Secrets {
  const kept = new Map<string, { value: Promise<string>; until: number }>();
  const store = SECRETS_FILE ? fileStore(SECRETS_FILE) : secretsManager;
  const keep = (name: string, value: Promise<string>) => {
    kept.set(name, { value, until: elapsedMs() + KEEP_MS });
    value.catch(() => kept.delete(name));
    return value;
  };
  return {
    async get(name) {
      const entry = kept.get(name);
      return entry && entry.until > elapsedMs() ? entry.value : keep(name, store.get(name));
    },
    async put(name, value) {
      await store.put(name, value);
      await keep(name, Promise.resolve(value));
    },
  };
}

/** True if no value was ever written under the name. */
export const isUnsetSecret = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'ResourceNotFoundException' || error.message.startsWith('no secret '));

/** Puts wait for each other, because each rewrites the whole file and two at once would lose a secret. */
function fileStore(file: string): Secrets {
  let turn: Promise<void> = Promise.resolve();
  const write = async (name: string, value: string) => {
    const secrets = { ...JSON.parse(await readFile(file, 'utf8')), [name]: value };
    await writeFile(`${file}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600 });
    await rename(`${file}.new`, file);
  };
  return {
    async get(name) {
      const value: unknown = Reflect.get(JSON.parse(await readFile(file, 'utf8')), name);
      if (typeof value !== 'string') throw new Error(`no secret ${name}`);
      return value;
    },
    put(name, value) {
      const done = turn.then(() => write(name, value));
      turn = done.catch(() => undefined);
      return done;
    },
  };
}

const secretsManager: Secrets = {
  async get(SecretId) {
    const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
    const { SecretString } = await new SecretsManagerClient().send(new GetSecretValueCommand({ SecretId }));
    if (!SecretString) throw new Error(`the secret ${SecretId} is empty`);
    return SecretString;
  },
  async put(SecretId, SecretString) {
    const { PutSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
    await new SecretsManagerClient().send(new PutSecretValueCommand({ SecretId, SecretString }));
  },
};
