// SPDX-License-Identifier: MIT
// Numbers as they are: decimals as typed and floats, both as exact fractions.

/** A decimal as typed, "0.1" or "-2.5e-3", as { numerator, denominator }; null if it is none. */
export function parseDecimal(text) {
  const match = /^\s*([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,2}))?\s*$/.exec(text);
  if (!match || !(match[2] || match[3])) return null;
  const [, sign, whole, part = '', exponent = '0'] = match;
  const digits = BigInt(whole + part || '0') * (sign === '-' ? -1n : 1n),
    shift = Number(exponent) - part.length;
  return shift >= 0
    ? { numerator: digits * 10n ** BigInt(shift), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-shift) };
}

/** The exact value of a finite float64, which every float32 is. */
export function fraction(value) {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is no fraction`);
  let power = 0;
  while (!Number.isInteger(value)) {
    value *= 2; // exact
    power++;
  }
  return { numerator: BigInt(value), denominator: 2n ** BigInt(power) };
}

/** All digits of a fraction whose denominator is a power of two. */
export function digitsOf({ numerator, denominator }) {
  const power = denominator.toString(2).length - 1;
  const scaled = ((numerator < 0n ? -numerator : numerator) * 5n ** BigInt(power)).toString().padStart(power + 1, '0');
  const sign = numerator < 0n ? '-' : '',
    whole = scaled.slice(0, scaled.length - power);
  const part = power ? scaled.slice(-power).replace(/0+$/, '') : '';
  return part ? `${sign}${whole}.${part}` : `${sign}${whole}`;
}

export const add = (a, b) => ({
  numerator: a.numerator * b.denominator + b.numerator * a.denominator,
  denominator: a.denominator * b.denominator,
});

/** Below 0, 0 or above 0, as a is less than b, equal or greater. */
export function compare(a, b) {
  const [left, right] = [a.numerator * b.denominator, b.numerator * a.denominator];
  return left < right ? -1 : left > right ? 1 : 0;
}
