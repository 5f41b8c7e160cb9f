/** The exit codes of every command. A CI job can rely on them: docs/cli.md lists them. */
export const EXIT = {
  passed: 0,
  gateFailed: 1,
  usage: 2,
  credentials: 3,
  unreachable: 4,
  incomplete: 5,
  limit: 6,
  interrupted: 130,
} as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** An end of a command that its user can act on: `next` says how. */
export class Failure extends Error {
  readonly exit: Exit;
  readonly next: string | undefined;

  constructor(exit: Exit, message: string, next?: string) {
    super(message);
    this.exit = exit;
    this.next = next;
  }
}

export const usage = (message: string, next?: string): Failure => new Failure(EXIT.usage, message, next);

export const incomplete = (message: string, next?: string): Failure => new Failure(EXIT.incomplete, message, next);

const NO_TLS = 'it speaks no TLS; http:// instead of https:// would, which is for a service on this machine only';

/** The reason of an error, also of one that `fetch` wraps. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message;
  if (cause instanceof Error) return reasonOf(cause);
  // OpenSSL's words for an answer without TLS
  return error.message.includes('wrong version number') ? NO_TLS : error.message;
}
