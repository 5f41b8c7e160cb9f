import { setImmediate as nextTurn } from 'node:timers/promises';
import { buildApp } from 'fauxqs';
import { PersistenceManager } from '../node_modules/fauxqs/dist/persistence.js';
import { S3Store } from '../node_modules/fauxqs/dist/s3/s3Store.js';
import { SnsStore } from '../node_modules/fauxqs/dist/sns/snsStore.js';
import { SqsStore } from '../node_modules/fauxqs/dist/sqs/sqsStore.js';
import { localCredentials } from './credentials.ts';
import type { Engine } from './engine-process.ts';
import { externalEndpoints } from './external-endpoints.ts';
import { S3Error } from './object-store/s3-error.ts';
import { s3Request } from './object-store/s3-request.ts';
import { verifySignature } from './object-store/signature.ts';

export type Queues = Engine & {
  /** The longest wait of a poll for a message, for an engine whose polls can be ended. */
  pollSeconds?: number;
  /** Answers the polls that wait now; does nothing for an engine that is not ours. */
  endPolls(): void;
  /** Delivers all taken messages again, and answers the polls that wait: for workers whose process has died. */
  releaseTaken(): Promise<void>;
};

/** The most that SQS allows: each poll costs two milliseconds of processor time, for each queue. */
const LONGEST_POLL_SECONDS = 20;

/**
 * SQS in this process, in memory without a data directory. `SQS_ENDPOINT` names a running engine to use instead.
 *
 * The package's own `startFauxqs` listens on every interface and asks for no credentials. Assembled from its parts,
 * it stays on the loopback, and each request must be signed. Its S3 is not used (see object-store/).
 */
export async function startQueues(options: { dataDir?: string }): Promise<Queues> {
  const external = externalEndpoints.sqs;
  if (external) {
    const nothing = async () => undefined;
    return { endpoint: external, endPolls: nothing, releaseTaken: nothing, stop: nothing };
  }
  const stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
  // Without a host of its own, the engine answers queue addresses with the host of the request.
  stores.sqsStore.host = '';
  const checks = checkTogether(stores.sqsStore);
  const persistence = options.dataDir === undefined ? undefined : persist(stores, options.dataDir);
  const app = buildApp({ logger: false, stores });
  app.addHook('onRequest', async ({ raw }, reply) => {
    try {
      verifySignature(s3Request(raw), localCredentials, Date.now());
    } catch (error) {
      if (!(error instanceof S3Error)) throw error;
      await reply.code(error.status).send({ __type: `com.amazonaws.sqs#${error.code}`, message: error.message });
    }
  });
  const endpoint = await app.listen({ port: 0, host: '127.0.0.1' });
  const stop = async () => {
    clearInterval(checks);
    await app.close();
    persistence?.close();
  };
  const endPolls = () => stores.sqsStore.shutdown();
  const releaseTaken = async () => {
    endPolls();
    await nextTurn(); // an ended poll looks for a message once more
    for (const queue of stores.sqsStore.allQueues())
      for (const receipt of [...queue.inflightMessages.keys()]) queue.changeVisibility(receipt, 0);
  };
  return { endpoint, pollSeconds: LONGEST_POLL_SECONDS, endPolls, releaseTaken, stop };
}

/** The longest delay of a message whose visibility timeout has passed. */
const CHECK_MS = 250;

/** The package checks each polled queue 50 times a second for such messages. One check of all queues takes their place. */
function checkTogether(store: SqsStore): NodeJS.Timeout {
  const create = store.createQueue.bind(store);
  store.createQueue = (...declared) => {
    const queue = create(...declared);
    Object.assign(queue, { startPollTimerIfNeeded: () => undefined });
    return queue;
  };
  return setInterval(() => store.processAllTimers(), CHECK_MS);
}

const longPast = 1;

/** Loads the queues before storing changes: a queue that is stored again while it is read would lose its messages. */
function persist(stores: { sqsStore: SqsStore; snsStore: SnsStore }, dataDir: string): PersistenceManager {
  const persistence = new PersistenceManager(dataDir);
  // For a visibility timeout of 0 the package would also clear the receive count, which its schema refuses after the
  // message has left the memory. The change need not be stored: after a restart a taken message is visible anyway.
  persistence.updateMessageReady = () => undefined;
  // The workers end with this process. After a restart nobody works on the taken messages, so they are stored as visible.
  const keepTaken = persistence.updateMessageInflight.bind(persistence);
  persistence.updateMessageInflight = (id, receipt, _deadline, ...counts) =>
    keepTaken(id, receipt, longPast, ...counts);
  persistence.loadSqsAndSns(stores.sqsStore, stores.snsStore);
  stores.sqsStore.persistence = persistence;
  for (const queue of stores.sqsStore.allQueues()) queue.persistence = persistence;
  return persistence;
}
