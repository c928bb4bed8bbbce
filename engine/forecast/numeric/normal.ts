/**
 * Quantile of the standard normal distribution, exact to seven digits.
 * Source: Wichura 1988, algorithm AS 241 (PPND7).
 */
export function normalQuantile(level: number): number {
  const q = level - 0.5
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q
    return (q * polynomial(CENTRE_TOP, r)) / polynomial(CENTRE_BOTTOM, r)
  }
  const tail = Math.sqrt(-Math.log(q < 0 ? level : 1 - level))
  const far = tail > 5
  const r = tail - (far ? 5 : 1.6)
  const top = polynomial(far ? FAR_TOP : NEAR_TOP, r)
  const bottom = polynomial(far ? FAR_BOTTOM : NEAR_BOTTOM, r)
  return (Math.sign(q) * top) / bottom
}

function polynomial(coefficients: readonly number[], x: number): number {
  let value = 0
  for (let i = coefficients.length - 1; i >= 0; i--) value = value * x + coefficients[i]!
  return value
}

// Coefficients in ascending powers, as published.
const CENTRE_TOP = [3.3871327179, 50.434271938, 159.29113202, 59.10937472]
const CENTRE_BOTTOM = [1, 17.895169469, 78.757757664, 67.1875636]
const NEAR_TOP = [1.4234372777, 2.75681539, 1.3067284816, 0.17023821103]
const NEAR_BOTTOM = [1, 0.7370016425, 0.12021132975]
const FAR_TOP = [6.657905115, 3.081226386, 0.42868294337, 0.017337203997]
const FAR_BOTTOM = [1, 0.24197894225, 0.012258202635]
