const WHOLE = '.000'

/** Thousandths as a decimal text with three places. */
export function decimal(milli: number): string {
  const rest = milli % 1000
  if (rest === 0) return milli / 1000 + WHOLE
  const text = String(Math.abs(milli)).padStart(4, '0')
  return `${milli < 0 ? '-' : ''}${text.slice(0, -3)}.${text.slice(-3)}`
}
