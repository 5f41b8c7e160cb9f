/** The result of steps that a service runs in turns. */
export function inOneTurn<Result>(steps: Generator<void, Result>): Result {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}
