const WHOLE = '.000'

/** Thousandths as decimal text with three places, rounded like in the ERP. */
export function decimal(milli: number): string {
  const whole = Math.round(milli)
  if (whole % 1000 === 0) return whole / 1000 + WHOLE
  const text = String(Math.abs(whole)).padStart(4, '0')
  return `${whole < 0 ? '-' : ''}${text.slice(0, -3)}.${text.slice(-3)}`
}
