/** A rule that cannot be evaluated: where in its text, and why. */
export class SigmaError extends Error {
  readonly path: string;
  readonly reason: string;

  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`);
    this.path = path;
    this.reason = reason;
  }
}

/** @throws SigmaError */
export function refuse(path: string, reason: string): never {
  throw new SigmaError(path, reason);
}
