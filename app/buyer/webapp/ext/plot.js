// Where things stand in the chart: pure arithmetic from weeks to pixels.
sap.ui.define([], () => {
  const DAY_MS = 86_400_000
  /** Above, a row for the name of each of three days, where no line runs through it. */
  const MARGIN = { top: 60, right: 16, bottom: 26, left: 52 }
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

  /** A stock from week to week, straight but for what arrives on its day. @returns [day, units] */
  function stockPath(name, { onHand, today, ahead }) {
    const points = [[today, onHand]]
    for (const week of ahead) {
      const [[start, before], end] = [points.at(-1), dayOf(week.date) + 1]
      if (week.arriving && week.arrivesOn) {
        const day = Math.max(start, dayOf(week.arrivesOn))
        const sold = ((before + week.arriving - week[name]) * (day - start)) / (end - start)
        points.push([day, before - sold], [day, before - sold + week.arriving])
      }
      points.push([end, week[name]])
    }
    return points
  }

  /** The same with an order that arrives on one day. */
  function withOrder(points, day, units) {
    const next = points.findIndex(([at], index) => index > 0 && at >= day)
    if (!units || next < 0) return points
    const [[from, before], [to, after]] = [points[next - 1], points[next]]
    const then = before + ((after - before) * (day - from)) / Math.max(1e-9, to - from)
    const later = points.slice(next).map(([at, value]) => [at, value + units])
    return [...points.slice(0, next), [day, then], [day, then + units], ...later]
  }

  /**
   * @param weeks in order: {date, isForecast, demand, demandP90, arriving, arrivesOn, stockP10, stockP50, stockP90, stockWithOrder}
   * @param onHand stock of today, null where it is not known
   * @param leadTimeDays until an order of today arrives, null where it is not known
   */
  function plot(weeks, { onHand, leadTimeDays }, width, height) {
    const ahead = weeks.filter(({ isForecast }) => isForecast)
    const today = ahead.length ? dayOf(ahead[0].date) - 6 : 0
    const knowsStock = onHand !== null && ahead.every(({ stockP50 }) => stockP50 !== null)
    const pathOf = (name) => (knowsStock ? stockPath(name, { onHand, today, ahead }) : [])
    const raw = pathOf('stockP50')
    const ordered = knowsStock ? ahead.at(-1).stockWithOrder - ahead.at(-1).stockP50 : 0
    const shown = (points) => points.map(([day, value]) => [day, Math.max(0, value)])
    const lines = {
      ...{ stockP10: shown(pathOf('stockP10')), stockP90: shown(pathOf('stockP90')) },
      stockP50: shown(raw),
      stockWithOrder: ordered
        ? shown(withOrder(raw, today + (leadTimeDays ?? Infinity), ordered))
        : [],
    }
    const values = [
      ...weeks.flatMap(({ demand, demandBefore, demandP90 }) => [
        ...[demand ?? 0, demandBefore ?? 0, demandP90 ?? 0],
      ]),
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
    // Without stock it cannot be told from the weeks.
    const isOrdered = !knowsStock || ordered > 0
    return { today, lines, isOrdered, ticks, inner, x, y, first, last, empty: emptyDay(raw) }
  }

  return { plot, dayOf, dateOf }
})
