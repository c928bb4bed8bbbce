// Demand of past weeks, demand and stock of weeks ahead with their range, today, arrival and stockout.
sap.ui.define(
  [
    'sap/ui/core/Control',
    'sap/ui/core/format/DateFormat',
    'sap/ui/core/format/NumberFormat',
    './plot',
    './Week',
  ],
  (Control, DateFormat, NumberFormat, { plot, dayOf, dateOf }) => {
    const HEIGHT = 320
    const LEAST_WIDTH = 280
    const WEEKS_A_LABEL = 4
    /** Days that the forecast does not take as they were, in the order of their marks from the bar upwards. */
    const CLEANED = ['outOfStock', 'closed', 'outliers', 'returns']
    const MARK = 8
    /** Each kind has a shape of its own, so that nobody has to tell colours apart; around the middle of a mark. */
    const SHAPES = {
      outOfStock: 'M-4-4H4V4H-4Z',
      closed: 'M0-5L5 0L0 5L-5 0Z',
      outliers: 'M0-5L5 4H-5Z',
      returns: 'M-4 0A4 4 0 1 0 4 0A4 4 0 1 0-4 0Z',
    }

    const days = () => DateFormat.getDateInstance({ format: 'MMMd', UTC: true })
    const units = () => NumberFormat.getFloatInstance({ maxFractionDigits: 0, style: 'short' })
    const isAdjusted = ({ demandBefore }) => demandBefore !== null
    const round = (value) => Math.round(value * 10) / 10

    return Control.extend('restock.buyer.ext.FanChart', {
      metadata: {
        properties: {
          onHand: { type: 'any', defaultValue: null },
          /** Days from today to the arrival of an order of today. */
          leadTimeDays: { type: 'any', defaultValue: null },
        },
        aggregations: { weeks: { type: 'restock.buyer.ext.Week', multiple: true } },
        defaultAggregation: 'weeks',
      },
      renderer: {
        apiVersion: 2,
        render(rm, chart) {
          rm.openStart('div', chart).class('restockFan').openEnd()
          chart.draw(rm)
          rm.close('div')
        },
      },

      onAfterRendering() {
        this.stopWatching()
        this.watcher = new ResizeObserver(() => this.fit())
        this.watcher.observe(this.getDomRef())
        // The first time the width is not known before.
        this.fit()
      },

      /** A page that is hidden has no width: what was drawn there stays as it is. */
      fit() {
        const width = this.getDomRef()?.clientWidth
        if (width && Math.abs(Math.max(LEAST_WIDTH, width) - this.width) > 4) this.invalidate()
      },

      stopWatching() {
        this.watcher?.disconnect()
      },

      exit() {
        this.stopWatching()
      },

      text(key, values) {
        return this.bundle.getText(key, values)
      },

      /** Texts come when they are loaded. */
      hasTexts() {
        if (this.bundle) return true
        Promise.resolve(this.getModel('i18n')?.getResourceBundle()).then((bundle) => {
          this.bundle = bundle
          if (bundle) this.invalidate()
        })
        return false
      },

      draw(rm) {
        if (!this.hasTexts()) return
        this.width = Math.max(LEAST_WIDTH, this.getDomRef()?.clientWidth || this.width || 800)
        const weeks = this.getWeeks().map((week) => week.mProperties)
        if (!weeks.length) return this.say(rm, 'chartEmpty')
        const place = plot(weeks, this.getOnHand(), this.width, HEIGHT)
        this.legend(rm, place, weeks)
        rm.openStart('svg')
          .attr('viewBox', `0 0 ${this.width} ${HEIGHT}`)
          .attr('width', this.width)
          .attr('height', HEIGHT)
          .attr('role', 'img')
          .attr('aria-label', this.summary(place))
          .openEnd()
        this.axes(rm, place)
        this.bars(rm, weeks, place)
        this.cleaned(rm, weeks, place)
        this.before(rm, weeks.filter(isAdjusted), place)
        this.fan(rm, place)
        this.markers(rm, place)
        rm.close('svg')
      },

      say(rm, key) {
        rm.openStart('p').openEnd().text(this.text(key)).close('p')
      },

      summary({ empty }) {
        const day = empty === null ? null : days().format(dateOf(empty))
        return day ? this.text('chartRunsOut', [day]) : this.text('chartLasts')
      },

      legend(rm, { lines }, weeks) {
        const keys = ['demand', 'expected']
        if (weeks.some(isAdjusted)) keys.push('before')
        if (lines.stockP50.length) keys.push('stock', 'range', 'withOrder')
        keys.push(...CLEANED.filter((kind) => weeks.some((week) => week[kind] > 0)))
        rm.openStart('ul').class('restockFanLegend').attr('aria-hidden', 'true').openEnd()
        for (const key of keys) {
          rm.openStart('li').class(`restockFan-${key}`).openEnd()
          rm.text(this.text(`chart-${key}`)).close('li')
        }
        rm.close('ul')
      },

      axes(rm, { ticks, inner, y, x, first, last }) {
        const format = units()
        for (const value of ticks) {
          this.line(rm, value === 0 ? 'zero' : 'grid', inner.left, y(value), inner.right, y(value))
          this.label(rm, inner.left - 6, y(value) + 4, format.format(value), 'end')
        }
        for (let day = first; day < last - 7; day += 7 * WEEKS_A_LABEL) {
          this.label(rm, x(day), inner.bottom + 18, days().format(dateOf(day)), 'start')
        }
      },

      bars(rm, weeks, { x, y }) {
        for (const { date, isForecast, demand } of weeks) {
          const end = dayOf(date) + 1
          const value = Math.max(0, demand ?? 0)
          rm.openStart('rect')
            .class(isForecast ? 'expected' : 'demand')
            .attr('x', round(x(end - 7) + 2))
            .attr('y', round(y(value)))
            .attr('width', round(Math.max(1, x(end) - x(end - 7) - 4)))
            .attr('height', round(y(0) - y(value)))
            .openEnd()
            .close('rect')
        }
      },

      /** What the forecast alone says of weeks for which planners say something else. */
      before(rm, weeks, { x, y }) {
        for (const { date, demandBefore } of weeks) {
          const end = dayOf(date) + 1
          this.line(rm, 'before', x(end - 7) + 2, y(demandBefore), x(end) - 2, y(demandBefore))
        }
      },

      /** A mark a kind of cleaned days, one above the other on the week's bar. */
      cleaned(rm, weeks, { x, y, inner }) {
        for (const week of weeks) {
          const end = dayOf(week.date) + 1
          const middle = (x(end - 7) + x(end)) / 2
          const bar = y(Math.max(0, week.demand ?? 0))
          CLEANED.filter((kind) => week[kind] > 0).forEach((kind, at) => {
            const top = Math.max(inner.top, bar - (at + 1) * (MARK + 4))
            rm.openStart('path')
              .attr('class', `cleaned ${kind}`)
              .attr('d', SHAPES[kind])
              .attr('transform', `translate(${round(middle)} ${round(top + MARK / 2)})`)
              .openEnd()
            rm.openStart('title').openEnd()
            rm.text(`${this.text(`chart-${kind}`)}: ${week[kind]}`).close('title')
            rm.close('path')
          })
        }
      },

      fan(rm, { lines, x, y }) {
        if (!lines.stockP50.length) return
        const points = (line) => line.map(([day, value]) => `${round(x(day))},${round(y(value))}`)
        const band = [...points(lines.stockP90), ...points(lines.stockP10).reverse()]
        rm.openStart('polygon').class('range').attr('points', band.join(' ')).openEnd()
        rm.close('polygon')
        for (const [name, style] of [
          ['stockP50', 'stock'],
          ['stockWithOrder', 'withOrder'],
        ]) {
          rm.openStart('polyline').class(style).attr('points', points(lines[name]).join(' '))
          rm.openEnd().close('polyline')
        }
      },

      markers(rm, { today, inner, x, empty, last }) {
        const mark = (day, key, row) => {
          if (day > last) return
          this.line(rm, `marker ${key}`, x(day), inner.top - 4, x(day), inner.bottom)
          const anchor = x(day) > inner.right - 90 ? 'end' : 'start'
          const shift = anchor === 'end' ? -4 : 4
          this.label(
            rm,
            x(day) + shift,
            inner.top - 4 + row * 13,
            this.text(`chart-${key}`),
            anchor,
          )
        }
        mark(today, 'today', 0)
        const leadTime = this.getLeadTimeDays()
        const arrival = today + leadTime
        if (leadTime !== null) mark(arrival, 'arrival', 1)
        if (leadTime !== null && arrival > last) {
          const later = this.text('chart-arrivalLater', [days().format(dateOf(arrival))])
          this.label(rm, inner.right, inner.top + 9, `${later} →`, 'end')
        }
        if (empty !== null) mark(empty, 'empty', 2)
      },

      line(rm, style, x1, y1, x2, y2) {
        rm.openStart('line').attr('class', style)
        for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) rm.attr(name, round(value))
        rm.openEnd().close('line')
      },

      label(rm, x, y, text, anchor) {
        rm.openStart('text').attr('x', round(x)).attr('y', round(y)).attr('text-anchor', anchor)
        rm.openEnd().text(text).close('text')
      },
    })
  },
)
