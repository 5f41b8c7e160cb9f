import { randomBytes } from 'node:crypto';

/** Credentials that sign requests, under the names that the AWS SDK reads from the environment. */
export type LocalKeys = { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string };

/**
 * The credentials that sign the requests of this process: new ones each time. The queues and the object store verify
 * the signatures, so that they are closed to other users of the machine, and a presigned address allows exactly the
 * same as on AWS. `LOCAL_ACCESS_KEY_ID` and `LOCAL_SECRET_ACCESS_KEY` name credentials for your own engines.
 */
export const localCredentials = {
  accessKeyId: process.env.LOCAL_ACCESS_KEY_ID ?? `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`,
  secretAccessKey: process.env.LOCAL_SECRET_ACCESS_KEY ?? randomBytes(30).toString('base64url'),
};

/** For other processes of the same user, which get the keys from a running system. */
export const localKeys: LocalKeys = {
  AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
};

export const localRegion = 'eu-central-1';
