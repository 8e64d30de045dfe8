// Formulas with the numbers of the visitor's sentence put in.

import { data, find, make, t } from "../strings.js";

const MINUS = "\u2212";
const SPACE = "\u00a0"; // at which no line ends
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Return a number with so many decimals, and a minus of the width of a plus. */
export function rounded(value, digits = 2) {
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(data.lang, format).format(value).replace("-", MINUS);
}

/** Return a number as it fits into a narrow column: without decimals if it is large. */
export const shortened = (value) => rounded(value, Math.abs(value) < 100 ? 2 : 0);

/** Return a share as people read it. */
export const share = (value) => `${Math.round(100 * value)}${SPACE}%`;

/** Return e to the power of a number, which may be very large or small, such as 2.67 × 10¹⁰. */
export function power(value) {
  const tenfold = value / Math.LN10; // as a power of ten
  const exponent = Math.floor(tenfold);
  if (exponent >= -2 && exponent < 4) return rounded(Math.exp(value));
  const factor = rounded(10 ** (tenfold - exponent), Math.abs(exponent) < 100 ? 2 : 0);
  const raised = String(Math.abs(exponent)).replace(/\d/g, (digit) => RAISED[digit]);
  return `${factor}${SPACE}×${SPACE}10${exponent < 0 ? "⁻" : ""}${raised}`;
}

const inBrackets = (text) => (text.startsWith(MINUS) ? `(${text})` : text);

/** Return a sum of products, such as 0.31 × 1.20 + 0.50 × (−0.33). */
export const products = (pairs) =>
  pairs.map(([one, other]) => `${inBrackets(rounded(one))}${SPACE}×${SPACE}${inBrackets(rounded(other))}`).join(" + ");

/** Write below the formula of a step what it is for the visitor's sentence. */
export function work(name, fields) {
  const text = t(`attends.worked.${name}`, fields);
  find(`worked-${name}`).replaceChildren(make("strong", {}, t("attends.worked.begin")), ` ${text}`);
}
