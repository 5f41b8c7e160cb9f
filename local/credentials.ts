/**
 * The credentials that sign the local system's requests. The engines listen on the loopback only. The object store
 * verifies the signatures, so that a presigned address allows here exactly what it allows on AWS.
 */
export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' };

export const localRegion = 'eu-central-1';
