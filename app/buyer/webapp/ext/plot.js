// Where things stand in the chart: pure arithmetic from weeks to pixels.
sap.ui.define([], () => {
  const DAY_MS = 86_400_000
  const MARGIN = { top: 28, right: 16, bottom: 26, left: 52 }
  const TICKS = 5

  const dayOf = (date) => Date.parse(date) / DAY_MS
  const dateOf = (day) => new Date(day * DAY_MS)

  /** A round step for so many ticks over a span. */
  function stepFor(span) {
    const raw = Math.max(span, 1) / TICKS
    const power = 10 ** Math.floor(Math.log10(raw))
    return power * ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10)
  }

  /** The day on which a line through these points first falls to 0; null where it does not. */
  function emptyDay(points) {
    for (let at = 1; at < points.length; at++) {
      const [[day, before], [next, after]] = [points[at - 1], points[at]]
      if (after > 0) continue
      if (before <= 0) return day
      return day + ((next - day) * before) / (before - after)
    }
    return null
  }

  /**
   * @param weeks in order: {date, isForecast, demand, stockP10, stockP50, stockP90, stockWithOrder}
   * @param onHand stock of today, null where it is not known
   */
  function plot(weeks, onHand, width, height) {
    const ahead = weeks.filter(({ isForecast }) => isForecast)
    const today = ahead.length ? dayOf(ahead[0].date) - 6 : 0
    const knowsStock = onHand !== null && ahead.every(({ stockP50 }) => stockP50 !== null)
    const pathOf = (name) => [
      [today, onHand],
      ...ahead.map((week) => [dayOf(week.date) + 1, week[name]]),
    ]
    const names = ['stockP10', 'stockP50', 'stockP90', 'stockWithOrder']
    const raw = knowsStock ? pathOf('stockP50') : []
    const shown = (points) => points.map(([day, value]) => [day, Math.max(0, value)])
    const lines = Object.fromEntries(
      names.map((name) => [name, knowsStock ? shown(pathOf(name)) : []]),
    )
    const values = [
      ...weeks.flatMap(({ demand, demandBefore }) => [demand ?? 0, demandBefore ?? 0]),
      ...Object.values(lines).flatMap((points) => points.map(([, value]) => value)),
    ]
    const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)]
    const step = stepFor(high - low)
    const [bottom, top] = [Math.floor(low / step) * step, Math.ceil(high / step) * step]
    const first = weeks.length ? dayOf(weeks[0].date) - 6 : 0
    const last = weeks.length ? dayOf(weeks.at(-1).date) + 1 : 1
    const inner = {
      left: MARGIN.left,
      right: width - MARGIN.right,
      top: MARGIN.top,
      bottom: height - MARGIN.bottom,
    }
    const x = (day) =>
      inner.left + ((day - first) / (last - first)) * Math.max(1, inner.right - inner.left)
    const y = (value) =>
      inner.bottom - ((value - bottom) / (top - bottom)) * (inner.bottom - inner.top)
    const ticks = []
    for (let value = bottom; value <= top + step / 2; value += step) ticks.push(value)
    return { today, lines, ticks, inner, x, y, first, last, empty: emptyDay(raw) }
  }

  return { plot, dayOf, dateOf }
})
