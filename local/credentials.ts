import { randomBytes } from 'node:crypto';

/** Credentials that sign requests, under the names that the AWS SDK reads from the environment. */
export type LocalKeys = { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string };

/**
 * The credentials that sign the requests of this process: new ones each time. The queues and the object store verify the signatures, so
 * that other users of the machine have nothing of them, and a presigned address allows here exactly what it allows on AWS.
 * `LOCAL_ACCESS_KEY_ID` and `LOCAL_SECRET_ACCESS_KEY` name others, for engines of your own that know them.
 */
export const localCredentials = {
  accessKeyId: process.env.LOCAL_ACCESS_KEY_ID ?? `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`,
  secretAccessKey: process.env.LOCAL_SECRET_ACCESS_KEY ?? randomBytes(30).toString('base64url'),
};

/** For other processes of the same user, to which a running system hands them. */
export const localKeys: LocalKeys = {
  AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
};

export const localRegion = 'eu-central-1';
