const number = new Intl.NumberFormat('en');
export const count = (amount: number): string => number.format(amount);
export const amountOf = (amount: number, one: string, many: string): string =>
  `${count(amount)} ${amount === 1 ? one : many}`;
export const findings = (amount: number): string => amountOf(amount, 'finding', 'findings');
