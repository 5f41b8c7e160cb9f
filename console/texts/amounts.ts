const number = new Intl.NumberFormat('en');
export const count = (amount: number): string => number.format(amount);
export const amountOf = (amount: number, one: string, many: string): string =>
  `${count(amount)} ${amount === 1 ? one : many}`;
export const findings = (amount: number): string => amountOf(amount, 'finding', 'findings');

/** An amount in the smallest unit of its currency, of which some have no hundredths. */
export function moneyOf(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
