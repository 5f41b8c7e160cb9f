/**
 * The time of the simulated cloud. The clock stops while a request waits only for the local engine, which is slower
 * than DynamoDB. Limits and latencies use this time.
 */
export type CloudClock = {
  /** Milliseconds of cloud time. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Milliseconds of cloud time in which at least one request was on its way. */
  waited(): number;
  /** Stops the clock until the engine has answered. */
  standStill<T>(answer: Promise<T>): Promise<T>;
};

type Sleeper = { until: number; wake: () => void };

export function startClock(): CloudClock {
  const sleepers = new Set<Sleeper>();
  let stops = 0;
  let stoppedAt = 0;
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;
  let waited = 0;
  let waitsSince = 0;
  const now = () => (stops > 0 ? stoppedAt : performance.now()) - lost;
  const arm = () => {
    clearTimeout(timer);
    if (stops > 0 || sleepers.size === 0) return;
    const next = Math.min(...[...sleepers].map(({ until }) => until));
    timer = setTimeout(wakeDue, Math.max(0, next - now()));
  };
  const wakeDue = () => {
    const time = now() + 0.5;
    for (const sleeper of sleepers)
      if (sleeper.until <= time) {
        sleepers.delete(sleeper);
        sleeper.wake();
        if (sleepers.size === 0) waited += now() - waitsSince;
      }
    arm();
  };
  return {
    now,
    waited: () => waited,
    sleep(milliseconds) {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (sleepers.size === 0) waitsSince = now();
      sleepers.add({ until: now() + milliseconds, wake: resolve });
      arm();
      return promise;
    },
    async standStill(answer) {
      if (stops++ === 0) stoppedAt = performance.now();
      arm();
      try {
        return await answer;
      } finally {
        if (--stops === 0) lost += performance.now() - stoppedAt;
        arm();
      }
    },
  };
}
