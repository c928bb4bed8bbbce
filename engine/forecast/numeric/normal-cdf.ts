/**
 * Distribution function of the standard normal, exact to 7.5e-8.
 * Source: Abramowitz, Stegun, Handbook of Mathematical Functions, formula 26.2.17.
 */
export function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const density = Math.exp((-z * z) / 2) * 0.3989422804014327
  let polynomial = 0
  for (const coefficient of COEFFICIENTS) polynomial = polynomial * t + coefficient
  const tail = density * polynomial * t
  return z < 0 ? tail : 1 - tail
}

/** The highest power first. */
const COEFFICIENTS = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153]
