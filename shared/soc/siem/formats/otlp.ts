import { indexAt, isObject, listAt, plainAt, textAt } from '#shared/reports/readers/json.ts';
import type { Severity } from '#shared/reports/report/report.ts';

/**
 * A record of OpenTelemetry's logs: `body` is a text, or the event itself. `about`: the attributes of the record and its resource.
 * https://opentelemetry.io/docs/specs/otel/logs/data-model/
 */
type LogRecord = {
  body: unknown;
  about: Record<string, unknown>;
  severity: Severity | undefined;
  at: string | undefined;
  observedAt: string | undefined;
};

const UNKNOWN = '0';
/** Severities by fours of `severityNumber`: trace, debug, info, warn, error, fatal. */
const BY_FOUR: readonly Severity[] = ['info', 'info', 'info', 'medium', 'high', 'critical'];

/** @returns undefined for any other object */
export function logRecordOf(value: object): LogRecord | undefined {
  const [at, observed] = [plainAt(value, 'timeUnixNano'), plainAt(value, 'observedTimeUnixNano')];
  const own = listAt(value, 'attributes');
  if (at === undefined && observed === undefined && !own.some(isAttribute)) return undefined;
  const texts = ['severityText', 'traceId', 'spanId', 'eventName'].map((name) => [name, textAt(value, name)] as const);
  const number = indexAt(value, 'severityNumber');
  return {
    body: plainValue('body' in value ? value.body : undefined),
    about: {
      ...membersOf(listAt(value, 'resource', 'attributes')),
      ...membersOf(own),
      ...Object.fromEntries(texts.filter(([, text]) => text)),
    },
    severity: number ? BY_FOUR[Math.floor((number - 1) / 4)] : undefined,
    at: at === UNKNOWN ? undefined : at,
    observedAt: observed === UNKNOWN ? undefined : observed,
  };
}

type Attribute = { key: string; value?: unknown };
const isAttribute = (one: unknown): one is Attribute => isObject(one) && typeof one.key === 'string';

const membersOf = (attributes: readonly unknown[]): Record<string, unknown> =>
  Object.fromEntries(attributes.filter(isAttribute).map(({ key, value }) => [key, plainValue(value)]));

/** A value as JSON writes it: `AnyValue` names its kind, and a number of 64 bits is a text. */
function plainValue(any: unknown): unknown {
  if (!isObject(any)) return undefined;
  const { stringValue, boolValue, intValue, doubleValue, bytesValue } = any;
  if ('kvlistValue' in any) return membersOf(listAt(any, 'kvlistValue', 'values'));
  if ('arrayValue' in any) return listAt(any, 'arrayValue', 'values').map(plainValue);
  const int = Number.isSafeInteger(Number(intValue)) ? Number(intValue) : intValue;
  return stringValue ?? boolValue ?? (intValue === undefined ? (doubleValue ?? bytesValue) : int);
}
